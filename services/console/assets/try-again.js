/** Asks again for a page that is not ready (202) or could not be answered (503), until it is answered, and then loads it. */
const notice = document.querySelector('[data-try-again]');
const pauseMs = 1_500;
/** A minute or more: an attempt may take until the service gives up. */
const maxAttempts = 40;

async function isAnswered() {
  try {
    const response = await fetch(location.href);
    await response.body?.cancel();
    return response.status !== 202 && response.status !== 503;
  } catch {
    return false;
  }
}

async function tryAgain() {
  notice.hidden = false;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (await isAnswered()) return location.reload();
  }
  notice.hidden = true;
}

await tryAgain();
