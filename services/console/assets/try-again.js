/**
 * Asks again for a page that is not ready (202) or could not be answered (503), until that changes, and then loads it. A page
 * that is not ready also loads an error, which says what failed.
 */
const notice = document.querySelector('[data-try-again]');
const gaveUp = document.querySelector('[data-gave-up]');
/** What was entered in a form that records nothing. */
const form = document.querySelector('[data-send-again]');
/** The books of a list are loaded sooner than that of a large Client, or a service that is restarted. */
const pauses = { firstMs: 300, factor: 1.5, longestMs: 2_000 };
/** A minute or more: an attempt may take until the service gives up. */
const maxAttempts = 40;
const isPrepared = notice.dataset.tryAgain === '202';

async function isAnswered() {
  try {
    const response = await fetch(location.href);
    await response.body?.cancel();
    return response.status !== 202 && (response.status !== 503 || isPrepared);
  } catch {
    return false;
  }
}

async function tryAgain() {
  notice.hidden = false;
  let pauseMs = pauses.firstMs;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (await isAnswered()) return form === null ? location.reload() : form.requestSubmit();
    pauseMs = Math.min(pauseMs * pauses.factor, pauses.longestMs);
  }
  notice.hidden = true;
  gaveUp.hidden = false;
}

await tryAgain();
