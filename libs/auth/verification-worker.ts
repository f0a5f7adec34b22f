import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { AsideJobs } from '#libs/auth/verification-queue.ts';
import { isCanonical, verifies } from '#libs/auth/verify.ts';

/** Both forms of one key. */
export interface VerifyingKey {
  readonly publicKey: Uint8Array;
  readonly verifier: KeyObject;
}

/** Whether a signature over a canonical string holds: at once, or told later. */
export type Verify = (key: VerifyingKey, canonical: string, signature: Uint8Array) => boolean | Promise<boolean>;

export const verifyAtOnce: Verify = ({ verifier }, canonical, signature) => verifies(verifier, canonical, signature);

interface Asked {
  readonly key: VerifyingKey;
  readonly canonical: string;
  readonly signature: Uint8Array;
  readonly tell: (holds: boolean) => void;
  isTold: boolean;
}

/** Several times what a full ring takes of a core: a thread that did nothing in so long has none. */
const patienceMs = 50;

interface Made {
  readonly code: URL;
  readonly jobs: AsideJobs;
}

const thread = new URL('./verification-thread.ts', import.meta.url);

/**
 * Half of what a write takes of the thread that answers is the signature. A thread beside it takes as many as it can do;
 * what it has no place for is verified here, so that where no second core is free nothing waits for it.
 */
export class VerifyAside {
  readonly #jobs: AsideJobs;
  /** Those given and not yet heard of, in order. */
  #asked: Asked[] = [];
  #heard: number;
  /** While anybody waits. */
  #watch: NodeJS.Timeout | undefined;
  /** Between its first word and its end. */
  #isThere = false;
  #isEnded = false;
  readonly #thread: Worker;
  /** When it works, or never will: until then, and after its end, everything is verified here. */
  readonly begun: Promise<void>;

  constructor(onLost: (cause: unknown) => void, { code = thread, jobs = new AsideJobs() }: Partial<Made> = {}) {
    this.#jobs = jobs;
    this.#heard = jobs.done;
    this.#thread = new Worker(code, {
      workerData: this.#jobs.memory,
      // It keeps nothing but keys.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    });
    let cause: unknown = new Error('the thread that verifies signatures ended');
    this.begun = new Promise((begun) => {
      this.#thread.once('message', () => {
        this.#isThere = !this.#isEnded;
        begun();
      });
      this.#thread.once('exit', begun);
    });
    this.#thread.on('message', () => this.#hear());
    this.#thread.on('error', (thrown) => {
      cause = thrown;
    });
    this.#thread.once('exit', () => {
      if (this.#isEnded) return;
      this.#takeBack();
      onLost(cause);
    });
    this.#thread.unref();
  }

  readonly verifies: Verify = (key, canonical, signature) => {
    if (!this.#isThere) return verifies(key.verifier, canonical, signature);
    this.#hear();
    const isFull = this.#asked.length >= AsideJobs.most || canonical.length > AsideJobs.longestMessage;
    if (isFull) return verifies(key.verifier, canonical, signature);
    if (!isCanonical(signature)) return false;
    this.#jobs.give(key.publicKey, signature, canonical);
    this.#watch ??= this.#watching();
    return new Promise((tell) => this.#asked.push({ key, canonical, signature, tell, isTold: false }));
  };

  async end(): Promise<void> {
    this.#takeBack();
    await this.#thread.terminate();
  }

  #watching(): NodeJS.Timeout {
    const { given } = this.#jobs;
    const heard = this.#heard;
    return setTimeout(() => {
      this.#watch = undefined;
      this.#hear();
      if (this.#asked.length === 0) return;
      // Those who were there when the watch began; everybody, where nothing was told since.
      const late = Math.max(0, (given - this.#heard) | 0);
      this.#tellHere(this.#heard === heard ? this.#asked.length : late);
      this.#watch = this.#watching();
    }, patienceMs).unref();
  }

  #hear(): void {
    const { done } = this.#jobs;
    const many = (done - this.#heard) | 0;
    if (many === 0) return;
    for (const { tell } of this.#asked.splice(0, many)) {
      tell(this.#jobs.told(this.#heard));
      this.#heard = (this.#heard + 1) | 0;
    }
  }

  /** What it did not get to is verified here, as is all that comes. */
  #takeBack(): void {
    this.#isThere = false;
    this.#isEnded = true;
    this.#hear();
    this.#tellHere(this.#asked.length);
    this.#asked = [];
  }

  /** They keep their places: a thread that comes to them after all tells nobody anything new. */
  #tellHere(many: number): void {
    for (const one of this.#asked.slice(0, many)) {
      if (one.isTold) continue;
      one.isTold = true;
      one.tell(verifies(one.key.verifier, one.canonical, one.signature));
    }
  }
}
