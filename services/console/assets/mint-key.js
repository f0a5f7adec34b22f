/** Makes a key pair in the browser and sends its public half. The secret is shown once and leaves the page with it. */
const form = document.querySelector('form[data-mint]');
const result = document.querySelector('[data-minted]');
const problem = document.querySelector('[data-mint-problem]');
const nacl = globalThis.nacl;
const settings = ['label', 'scope', 'holder'].map((name) => form.elements.namedItem(name));

/**
 * The pair whose answer did not arrive: it may be minted. The next attempt sends the same request, whose key is minted once.
 */
let unanswered;

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function keepUnanswered(pair) {
  unanswered = pair;
  for (const setting of settings) setting.disabled = pair !== undefined;
}

/** Fields that are disabled are in no form data: they are those of the first attempt. */
function fieldsOf({ publicKey, values }) {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  fields.set('public_key', hex(publicKey));
  return fields;
}

function newPair() {
  const seed = nacl.randomBytes(32);
  const { publicKey } = nacl.sign.keyPair.fromSeed(seed);
  return { seed, publicKey, values: Object.fromEntries(settings.map(({ name, value }) => [name, value])) };
}

async function mint() {
  const pair = unanswered ?? newPair();
  const fields = fieldsOf(pair);
  keepUnanswered(pair);
  const response = await fetch(form.action, { method: 'POST', body: fields });
  // Not JSON: a page of an ended session or of an error, after which the key may be minted or not.
  const answer = await response.json();
  keepUnanswered(undefined);
  if (!response.ok) throw Object.assign(new Error('refused'), { problem: answer.problem });
  result.querySelector('[data-secret]').textContent = `lsk_${form.dataset.mint}_${base64url(pair.seed)}`;
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
    problem.textContent = error.problem ?? problem.dataset.mintProblem;
    problem.hidden = false;
  }
});
