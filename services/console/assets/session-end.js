/** Warns before the session ends, and extends it on request. Pages in other tabs extend it too: all tabs share the moment. */
const notice = document.querySelector('[data-session-ends-in]');
const form = notice.querySelector('[data-session=ending]');
const ended = notice.querySelector('[data-session=ended]');
const warningMs = 3 * 60_000;
const checkIntervalMs = 10_000;
const storageKey = 'lending-session-ends-at';

function setEnd(endsInMs) {
  localStorage.setItem(storageKey, String(Date.now() + endsInMs));
  show();
}

function show() {
  const leftMs = Number(localStorage.getItem(storageKey)) - Date.now();
  notice.hidden = leftMs > warningMs;
  form.hidden = leftMs <= 0;
  ended.hidden = leftMs > 0;
  const minutes = String(Math.ceil(leftMs / 60_000));
  const shown = form.querySelector('[data-minutes]');
  // Screen readers read out each change.
  if (shown.textContent !== minutes) shown.textContent = minutes;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: 'POST', body: fields }).then(
    (response) => (response.ok ? response.json() : { ends_in_ms: 0 }),
    () => undefined,
  );
  // Without an answer the notice stays, and the button can be pressed again.
  if (answer !== undefined) setEnd(answer.ends_in_ms);
});
addEventListener('storage', show);
setInterval(show, checkIntervalMs);
setEnd(Number(notice.dataset.sessionEndsIn));
