/**
 * Verifies signatures on a worker thread, in batches. A verification takes about as long as everything else the main
 * thread does for a write; Node's thread pool costs the main thread 10 to 15 µs per signature, a batched message 3.
 */
import { Worker } from 'node:worker_threads';
import { hasCanonicalS, type VerifyingKey, type VerifySignature, verifySync } from '#libs/auth/verify.ts';

interface Verification {
  readonly key: VerifyingKey;
  readonly canonical: string;
  readonly signature: Uint8Array;
  readonly resolve: (isValid: boolean) => void;
}

export const publicKeyBytes = 32;
export const signatureBytes = 64;
/** Public key, signature and the length of the canonical string. */
export const headerBytes = publicKeyBytes + signatureBytes + 4;

/** Beyond this the main thread verifies too: about 15 ms of work for the worker. */
const maxPending = 192;
/** The worker must find the next batch when it has finished one. */
const maxBatchesInFlight = 2;
const defaultThread = new URL('./verification-thread.ts', import.meta.url);

export class VerificationWorker {
  readonly #thread: Worker;
  #isReady = false;
  #pendingCount = 0;
  #queue: Verification[] = [];
  #isSendScheduled = false;
  readonly #inFlight: Verification[][] = [];
  /** Settles when the worker is ready or has failed. Until then, and after a failure, the main thread verifies. */
  readonly started: Promise<void>;

  constructor(onFailure: (cause: unknown) => void, thread = defaultThread) {
    this.#thread = new Worker(thread, { resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 } });
    this.#thread.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.started = promise;
    let cause: unknown = new Error('the verification thread exited');
    this.#thread.once('message', () => {
      this.#isReady = true;
      this.#thread.on('message', (results: Uint8Array) => this.#receive(results));
      resolve();
    });
    this.#thread.once('error', (error) => {
      cause = error;
    });
    this.#thread.once('exit', () => {
      resolve();
      if (this.#stop()) onFailure(cause);
    });
  }

  readonly verify: VerifySignature = (key, canonical, signature) => {
    if (!this.#isReady || this.#pendingCount >= maxPending) return verifySync(key, canonical, signature);
    if (!hasCanonicalS(signature)) return false;
    this.#pendingCount += 1;
    return new Promise((resolve) => {
      this.#queue.push({ key, canonical, signature, resolve });
      if (this.#isSendScheduled) return;
      this.#isSendScheduled = true;
      // What arrives in the same turn of the event loop shares a message.
      setImmediate(() => this.#send());
    });
  };

  async close(): Promise<void> {
    this.#stop();
    await this.#thread.terminate();
  }

  #send(): void {
    this.#isSendScheduled = false;
    if (!this.#isReady || this.#queue.length === 0 || this.#inFlight.length === maxBatchesInFlight) return;
    const batch = this.#queue;
    this.#queue = [];
    this.#inFlight.push(batch);
    const message = encodeBatch(batch);
    this.#thread.postMessage(message, [message.buffer]);
  }

  #receive(results: Uint8Array): void {
    const batch = this.#inFlight.shift() ?? [];
    this.#pendingCount -= batch.length;
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] === 1);
    this.#send();
  }

  /** Verifies on the main thread what the worker has not answered. False where it was stopped before. */
  #stop(): boolean {
    const wasReady = this.#isReady;
    this.#isReady = false;
    for (const { key, canonical, signature, resolve } of [...this.#inFlight.flat(), ...this.#queue]) {
      resolve(verifySync(key, canonical, signature) === true);
    }
    this.#inFlight.length = 0;
    this.#queue = [];
    return wasReady;
  }
}

/** The canonical strings are encoded as Latin-1, as in `verifySync`. */
function encodeBatch(batch: readonly Verification[]): Uint8Array<ArrayBuffer> {
  const length = batch.reduce((sum, { canonical }) => sum + headerBytes + canonical.length, 0);
  const message = Buffer.from(new ArrayBuffer(length));
  let at = 0;
  for (const { key, signature, canonical } of batch) {
    message.set(key.publicKey, at);
    message.set(signature, at + publicKeyBytes);
    message.writeUInt32LE(canonical.length, at + publicKeyBytes + signatureBytes);
    message.write(canonical, at + headerBytes, 'latin1');
    at += headerBytes + canonical.length;
  }
  return message;
}
