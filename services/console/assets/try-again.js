/** Asks again for a page that could not be answered, until it is answered, and then loads it. */
const notice = document.querySelector('[data-try-again]');
const pauseMs = 3_000;
/** About two minutes: each attempt takes until the service gives up. */
const maxAttempts = 20;

async function isAnswered() {
  try {
    const response = await fetch(location.href);
    await response.body?.cancel();
    return response.status !== 503;
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
