/** Verifies in the browser what the page shows: the fingerprint, the digest of the body, the signature and its times. */
const nacl = globalThis.nacl;
const verdict = document.querySelector('[data-browser-verdict]');

function bytesOfBase64(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function sha256(bytes) {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

async function bodyOf(article) {
  const shown = article.querySelector('[data-body]');
  if (shown !== null) return bytesOfBase64(shown.textContent);
  const response = await fetch(article.querySelector('[data-body-url]').dataset.bodyUrl);
  if (!response.ok) throw new Error(`the body was answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function canonicalOf(article) {
  return article.querySelector('[data-canonical]').textContent;
}

/** With the tolerances of the service: one for the clock of the caller, one for those of its instances. */
function isSignedInTime(article) {
  const { takenInAt, keyCreatedAt, keyRevokedAt } = article.dataset;
  const keyToleranceMs = Number(article.dataset.keyToleranceMs);
  const receivedAt = Date.parse(takenInAt);
  const signedSeconds = Number(canonicalOf(article).split('\n')[2]);
  return (
    Math.abs(Math.floor(receivedAt / 1_000) - signedSeconds) * 1_000 <= Number(article.dataset.maxClockSkewMs) &&
    receivedAt + keyToleranceMs >= Date.parse(keyCreatedAt) &&
    (keyRevokedAt === undefined || receivedAt <= Date.parse(keyRevokedAt) + keyToleranceMs)
  );
}

const checks = {
  async key(article) {
    const key = bytesOfBase64(article.querySelector('[data-public-key]').textContent);
    return (await sha256(key)).slice(0, 32) === article.querySelector('[data-fp]').textContent;
  },
  async request(article) {
    const digest = canonicalOf(article).split('\n')[3];
    return (await sha256(await bodyOf(article))) === digest;
  },
  signature(article) {
    const key = bytesOfBase64(article.querySelector('[data-public-key]').textContent);
    const signature = bytesOfBase64(article.querySelector('[data-signature]').textContent);
    const text = new TextEncoder().encode(canonicalOf(article));
    return isSignedInTime(article) && nacl.sign.detached.verify(text, signature, key);
  },
};

/** A value that cannot be decoded fails its check. */
async function passes(check, article) {
  try {
    return await checks[check](article);
  } catch {
    return false;
  }
}

async function verifyAll() {
  let allPassed = true;
  for (const article of document.querySelectorAll('[data-evidence]')) {
    for (const cell of article.querySelectorAll('[data-browser-check]')) {
      const passed = await passes(cell.dataset.browserCheck, article);
      cell.textContent = passed ? verdict.dataset.checkPassed : verdict.dataset.checkFailed;
      cell.className = passed ? 'passed' : 'failed';
      allPassed &&= passed;
    }
  }
  verdict.textContent = allPassed ? verdict.dataset.passed : verdict.dataset.failed;
  verdict.className = allPassed ? 'good' : 'error';
}

// Without HTTPS a browser has no digests.
if (globalThis.crypto?.subtle !== undefined) await verifyAll();
