import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { AsideJobs } from '#libs/auth/verification-queue.ts';
import { VerifyAside, type VerifyingKey } from '#libs/auth/verification-worker.ts';
import { verifies } from '#libs/auth/verify.ts';

const lost: unknown[] = [];
let onLost = (): void => undefined;
let aside: VerifyAside | undefined;
afterEach(async () => {
  await aside?.end();
  aside = undefined;
  expect(lost.splice(0)).toEqual([]);
});

async function begin(made: { code?: URL; jobs?: AsideJobs } = {}): Promise<VerifyAside> {
  aside = new VerifyAside((cause) => {
    lost.push(cause);
    onLost();
  }, made);
  await aside.begun;
  return aside;
}

function codeOf(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

interface Keyed extends VerifyingKey {
  readonly secret: KeyObject;
}

function key(): Keyed {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
    verifier: publicKey,
    secret: privateKey,
  };
}

function signed({ secret }: Keyed, canonical: string): Uint8Array {
  return sign(null, Buffer.from(canonical, 'latin1'), secret);
}

interface Case {
  readonly key: VerifyingKey;
  readonly canonical: string;
  readonly signature: Uint8Array;
}

const keys = [key(), key(), key()] as const;

/** Good ones, and everything that may be wrong with one, in an order of their own. */
function cases(many: number): Case[] {
  return Array.from({ length: many }, (_, nth) => {
    const by = keys[nth % 3] as Keyed;
    const canonical = `POST\n/v1/tenants/ü${nth}\n1\n${randomBytes(32).toString('hex')}`;
    const signature = signed(by, canonical);
    if (nth % 5 === 1) return { key: keys[(nth + 1) % 3] as Keyed, canonical, signature };
    if (nth % 5 === 2) return { key: by, canonical: `${canonical} `, signature };
    if (nth % 5 === 3) return { key: by, canonical, signature: Uint8Array.from(signature).with(63, 0xff) };
    return { key: by, canonical, signature };
  });
}

test('each is told what is so, whether the thread beside, or this one, looked', async () => {
  const { verifies: verify } = await begin();
  const all = cases(1_000);
  const said = all.map(({ key, canonical, signature }) => verify(key, canonical, signature));
  // More than there is place for at once: some are told now, those that were given later.
  expect(said.some((one) => one === true)).toBe(true);
  expect(said.some((one) => one instanceof Promise)).toBe(true);
  const expected = all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature));
  expect(await Promise.all(said)).toEqual(expected);
  expect(expected.filter((holds) => holds)).toHaveLength(400);
});

test('places are used again and again, by one at a time and by many', async () => {
  const { verifies: verify } = await begin();
  for (const { key, canonical, signature } of cases(300)) {
    expect(await verify(key, canonical, signature)).toBe(verifies(key.verifier, canonical, signature));
  }
  for (let round = 0; round < 20; round += 1) {
    const all = cases(100);
    const said = await Promise.all(all.map(({ key, canonical, signature }) => verify(key, canonical, signature)));
    expect(said).toEqual(all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature)));
  }
});

test('counts go once around all numbers and on', async () => {
  const jobs = new AsideJobs();
  new Int32Array(jobs.memory, 0, 2).fill(0x7fff_ffff - 150);
  const { verifies: verify } = await begin({ jobs });
  // Where the thread gets no core a round ends without it.
  while (jobs.done > 0) {
    const all = cases(100);
    const said = await Promise.all(all.map(({ key, canonical, signature }) => verify(key, canonical, signature)));
    expect(said).toEqual(all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature)));
  }
});

test('the longest that fits a place is read to its last byte', async () => {
  const { verifies: verify } = await begin();
  const [by] = keys;
  const canonical = 'x'.repeat(AsideJobs.longestMessage - 1);
  const signature = signed(by, `${canonical}ÿ`);
  const said = [verify(by, `${canonical}ÿ`, signature), verify(by, `${canonical}þ`, signature)];
  expect(said.every((one) => one instanceof Promise)).toBe(true);
  expect(await Promise.all(said)).toEqual([true, false]);
});

test('a thread that is there and does nothing keeps nobody', async () => {
  const sleeps = `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage(undefined);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const { verifies: verify } = await begin({ code: codeOf(sleeps) });
  const all = cases(200);
  const expected = all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature));
  for (let round = 0; round < 2; round += 1) {
    const said = all.map(({ key, canonical, signature }) => verify(key, canonical, signature));
    expect(await Promise.all(said)).toEqual(expected);
  }
});

test('a thread that is slow keeps nobody for long either', async () => {
  const dawdles = `import { parentPort, workerData } from 'node:worker_threads';
    const counters = new Int32Array(workerData, 0, 2);
    parentPort.postMessage(undefined);
    for (let nth = 0; ; nth += 1) {
      Atomics.wait(counters, 0, nth);
      new Int32Array(workerData, 64 + (nth % 128) * 1024, 2)[0] = 0;
      Atomics.add(counters, 1, 1);
      parentPort.postMessage(undefined);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
    }`;
  const { verifies: verify } = await begin({ code: codeOf(dawdles) });
  const holding = cases(500).filter(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature));
  const said = await Promise.all(
    holding.slice(0, 100).map(({ key, canonical, signature }) => verify(key, canonical, signature)),
  );
  // It says of each that it does not hold: so one is told by whoever looked.
  expect(said.filter((holds) => holds).length).toBeGreaterThan(80);
});

test('what is too long for a place is looked at here, whole', async () => {
  const { verifies: verify } = await begin();
  const [by] = keys;
  const canonical = `GET\n/v1/${'x'.repeat(4_000)}\n1\n`;
  const signature = signed(by, canonical);
  expect(verify(by, canonical, signature)).toBe(true);
  expect(verify(by, `${canonical}y`, signature)).toBe(false);
});

test('who waits for a thread that ends is told all the same, and who comes after it', async () => {
  const ending = await begin();
  const all = cases(60);
  const said = all.map(({ key, canonical, signature }) => ending.verifies(key, canonical, signature));
  const ended = ending.end();
  const after = all.map(({ key, canonical, signature }) => ending.verifies(key, canonical, signature));
  await ended;
  const expected = all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature));
  expect(await Promise.all(said)).toEqual(expected);
  expect(after).toEqual(expected);
});

test('a thread that falls over what it was given leaves nobody without an answer, and is said to be lost', async () => {
  const falls = `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage(undefined);
    Atomics.wait(new Int32Array(workerData, 0, 2), 0, 0);
    throw new Error('fell');`;
  const { verifies: verify } = await begin({ code: codeOf(falls) });
  const all = cases(50);
  const ask = (): (boolean | Promise<boolean>)[] =>
    all.map(({ key, canonical, signature }) => verify(key, canonical, signature));
  const isLost = new Promise<void>((told) => {
    onLost = told;
  });
  const said = await Promise.all(ask());
  await isLost;
  const expected = all.map(({ key, canonical, signature }) => verifies(key.verifier, canonical, signature));
  expect(said).toEqual(expected);
  expect(ask()).toEqual(expected);
  expect(lost.splice(0)).toEqual([new Error('fell')]);
});
