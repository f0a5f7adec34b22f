/** The thread beside the one that answers: it verifies what it is given, in order, and sleeps while there is nothing. */
import { type KeyObject, verify } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { AsideJobs } from '#libs/auth/verification-queue.ts';
import { keyObject } from '#libs/auth/verify.ts';

/** As many verdicts are told of at once while more is to be done: to be told of each costs the other thread too much. */
const toldTogether = 8;
/** Registered keys and the decoy only; begun anew beyond that. */
const mostKeys = 10_000;

const keys = new Map<string, KeyObject>();
const jobs = new AsideJobs(workerData as SharedArrayBuffer);
// Nothing is given to it before: what it is made of takes some tenths of a second to load.
parentPort?.postMessage(undefined);
for (let nth = jobs.done; ; ) {
  jobs.await(nth);
  for (let untold = 0; nth !== jobs.given; ) {
    const { publicKey, signature, message } = jobs.job(nth);
    jobs.tell(nth, verify(null, message, known(publicKey), signature));
    nth = (nth + 1) | 0;
    untold += 1;
    if (untold < toldTogether && nth !== jobs.given) continue;
    parentPort?.postMessage(undefined);
    untold = 0;
  }
}

function known(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('latin1');
  const found = keys.get(name);
  if (found !== undefined) return found;
  const made = keyObject(publicKey);
  if (keys.size >= mostKeys) keys.clear();
  keys.set(name, made);
  return made;
}
