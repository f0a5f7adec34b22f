/** Makes a key pair in the browser and sends its public half. The secret is shown once and leaves the page with it. */
const form = document.querySelector('form[data-mint]');
const result = document.querySelector('[data-minted]');
const problem = document.querySelector('[data-mint-problem]');
const nacl = globalThis.nacl;

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function mint() {
  const seed = nacl.randomBytes(32);
  const { publicKey } = nacl.sign.keyPair.fromSeed(seed);
  const fields = new URLSearchParams(new FormData(form));
  fields.set('public_key', hex(publicKey));
  const response = await fetch(form.action, { method: 'POST', body: fields });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.problem);
  result.querySelector('[data-secret]').textContent = `lsk_${form.dataset.mint}_${base64url(seed)}`;
  result.querySelector('[data-fp]').textContent = answer.fp;
  form.hidden = true;
  result.hidden = false;
  result.focus();
}

form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.hidden = true;
  try {
    await mint();
  } catch (error) {
    problem.textContent = error.message || problem.dataset.mintProblem;
    problem.hidden = false;
  }
});
