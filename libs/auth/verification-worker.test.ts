import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '#test/support/tenant.ts';
import { VerificationWorker } from './verification-worker.ts';
import { type ParsedKey, verifySync } from './verify.ts';

interface KeyPair extends ParsedKey {
  readonly secret: KeyObject;
}

const failures: unknown[] = [];
let worker: VerificationWorker | undefined;
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});

function start(thread?: URL): VerificationWorker {
  worker = new VerificationWorker((cause) => failures.push(cause), thread);
  return worker;
}

function generateKey(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
    verifier: publicKey,
    secret: privateKey,
  };
}

const keys = [generateKey(), generateKey(), generateKey()] as const;

/** Valid signatures and each kind of invalid one, over strings that hold characters beyond ASCII. */
function signatures(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const key = keys[index % 3] as KeyPair;
    const canonical = `POST\n/v1/tenants/ü${index}\n1\n${randomBytes(32).toString('hex')}`;
    const signature = new Uint8Array(sign(null, Buffer.from(canonical, 'latin1'), key.secret));
    if (index % 5 === 1) return { key: keys[(index + 1) % 3] as KeyPair, canonical, signature };
    if (index % 5 === 2) return { key, canonical: `${canonical} `, signature };
    if (index % 5 === 3) return { key, canonical, signature: signature.with(63, 0xff) };
    return { key, canonical, signature };
  });
}

test('the worker gives the same results as the main thread, whichever of them verifies', async () => {
  const { verify, started } = start();
  await started;
  const all = signatures(1_000);
  const results = all.map(({ key, canonical, signature }) => verify(key, canonical, signature));
  // More than the worker may be given at once: some are verified on the main thread.
  expect(results.filter((result) => result === true).length).toBeGreaterThan(0);
  expect(results.filter((result) => result instanceof Promise).length).toBeGreaterThan(0);
  const expected = all.map(({ key, canonical, signature }) => verifySync(key, canonical, signature));
  expect(await Promise.all(results)).toEqual(expected);
  expect(expected.filter((isValid) => isValid)).toHaveLength(400);
});

test('signatures that arrive one after the other are all answered', async () => {
  const { verify, started } = start();
  await started;
  for (const { key, canonical, signature } of signatures(50)) {
    expect(await verify(key, canonical, signature)).toBe(verifySync(key, canonical, signature));
  }
});

test('before the worker is ready the main thread verifies', () => {
  const { verify } = start();
  const [first] = signatures(1);
  expect(first && verify(first.key, first.canonical, first.signature)).toBe(true);
});

test('when the worker exits, what it was given and what follows is verified on the main thread', async () => {
  const { verify, started } = start(
    thread(`parentPort.on('message', () => { throw new Error('out of order'); }); parentPort.postMessage('ready');`),
  );
  await started;
  const all = signatures(10);
  const expected = all.map(({ key, canonical, signature }) => verifySync(key, canonical, signature));
  const results = all.map(({ key, canonical, signature }) => verify(key, canonical, signature));
  expect(await Promise.all(results)).toEqual(expected);
  // On a busy machine the main thread may have verified them before the worker exits.
  await eventually(() => failures.length > 0);
  const [later] = signatures(1);
  expect(later && verify(later.key, later.canonical, later.signature)).toBe(true);
  expect(failures.splice(0)).toEqual([expect.objectContaining({ message: 'out of order' })]);
});

function thread(code: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${code}`)}`,
  );
}

test('what a stalled worker does not answer is verified on the main thread, until the worker answers again', async () => {
  const { verify, started } = start(
    thread(`parentPort.on('message', () => undefined); parentPort.postMessage('ready');`),
  );
  await started;
  const all = signatures(10);
  const expected = all.map(({ key, canonical, signature }) => verifySync(key, canonical, signature));
  expect(await Promise.all(all.map(({ key, canonical, signature }) => verify(key, canonical, signature)))).toEqual(
    expected,
  );
  const [later] = signatures(1);
  expect(later && verify(later.key, later.canonical, later.signature)).toBe(true);
});

test('a thread that cannot be loaded is reported, and a closed worker is not', async () => {
  const { started } = start(thread(`throw new Error('cannot load');`));
  await started;
  expect(failures.splice(0)).toEqual([expect.objectContaining({ message: 'cannot load' })]);
  const closed = start();
  await closed.close();
  expect(failures).toEqual([]);
});
