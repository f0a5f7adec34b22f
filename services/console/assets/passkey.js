/** Passkeys: one form signs in with one, another form registers one. Both need the browser's own dialog. */
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;
const form = document.querySelector('form[data-passkey]');
const problem = document.querySelector('[data-passkey-problem]');

async function post(path, fields) {
  const response = await fetch(path, { method: 'POST', body: fields });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error('refused'), { problem: answer.problem });
  return answer;
}

async function run() {
  const fields = new URLSearchParams(new FormData(form));
  const optionsJSON = await post(`${form.action}/options`, fields);
  const start = form.dataset.passkey === 'register' ? startRegistration : startAuthentication;
  fields.set('response', JSON.stringify(await start({ optionsJSON })));
  const { next } = await post(form.action, fields);
  location.assign(next);
}

form.hidden = !browserSupportsWebAuthn();
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.hidden = true;
  try {
    await run();
  } catch (error) {
    problem.textContent = error.problem ?? problem.dataset.passkeyProblem;
    problem.hidden = false;
  }
});
