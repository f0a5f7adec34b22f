/**
 * Verifies signatures on a worker thread, in batches. A verification takes about as long as everything else the main
 * thread does for a write; Node's thread pool costs the main thread 10 to 15 µs per signature, a batched message 3.
 */
import { Worker } from 'node:worker_threads';
import { signatureBytes } from '#libs/auth/signing-scheme.ts';
import { hasCanonicalS, type ParsedKey, type VerifySignature, verifySync } from '#libs/auth/verify.ts';

interface Verification {
  readonly key: ParsedKey;
  readonly canonical: string;
  readonly signature: Uint8Array;
  readonly resolve: (isValid: boolean) => void;
}

export const publicKeyBytes = 32;
/** Public key, signature and the length of the canonical string. */
export const headerBytes = publicKeyBytes + signatureBytes + 4;

/** Beyond this the main thread verifies too: about 15 ms of work for the worker. */
const maxPending = 192;
/** Several times what all pending signatures take. */
const stallTimeoutMs = 50;
const defaultThread = new URL('./verification-worker-entry.ts', import.meta.url);

export class VerificationWorker {
  readonly #thread: Worker;
  #isReady = false;
  #isClosed = false;
  /** The worker got no processor time: the main thread verifies until it answers again. */
  #isStalled = false;
  #queue: Verification[] = [];
  #isSendScheduled = false;
  /** One batch at a time: while the worker verifies it, the next one grows, and fewer messages are sent. */
  #inFlight: Verification[] = [];
  #stallTimer: NodeJS.Timeout | undefined;
  /** Settles when the worker is ready or has failed. Until then, and after a failure, the main thread verifies. */
  readonly started: Promise<void>;

  constructor(onFailure: (cause: unknown) => void, thread = defaultThread) {
    this.#thread = new Worker(thread, { resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 } });
    this.#thread.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.started = promise;
    let cause: unknown = new Error('the verification thread exited');
    this.#thread.once('message', () => {
      this.#isReady = !this.#isClosed;
      this.#thread.on('message', (results: Uint8Array) => this.#receive(results));
      resolve();
    });
    this.#thread.once('error', (error) => {
      cause = error;
    });
    this.#thread.once('exit', () => {
      resolve();
      if (this.#isClosed) return;
      this.#stop();
      onFailure(cause);
    });
  }

  readonly verify: VerifySignature = (key, canonical, signature) => {
    if (!this.#isReady || this.#isStalled || this.#pendingCount >= maxPending)
      return verifySync(key, canonical, signature);
    if (!hasCanonicalS(signature)) return false;
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

  get #pendingCount(): number {
    return this.#inFlight.length + this.#queue.length;
  }

  #send(): void {
    this.#isSendScheduled = false;
    if (!this.#isReady || this.#queue.length === 0 || this.#inFlight.length > 0) return;
    this.#inFlight = this.#queue;
    this.#queue = [];
    this.#thread.postMessage(encodeBatch(this.#inFlight));
    this.#stallTimer = setTimeout(() => this.#verifyStalled(), stallTimeoutMs).unref();
  }

  #receive(results: Uint8Array): void {
    const batch = this.#inFlight;
    this.#inFlight = [];
    this.#isStalled = false;
    clearTimeout(this.#stallTimer);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] === 1);
    this.#send();
  }

  /** The batch stays in flight: its late results are ignored, because the promises are settled. */
  #verifyStalled(): void {
    this.#isStalled = true;
    this.#verifyPendingHere();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#isReady = false;
    clearTimeout(this.#stallTimer);
    this.#verifyPendingHere();
    this.#inFlight = [];
  }

  #verifyPendingHere(): void {
    for (const { key, canonical, signature, resolve } of [...this.#inFlight, ...this.#queue]) {
      resolve(verifySync(key, canonical, signature) === true);
    }
    this.#queue = [];
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
