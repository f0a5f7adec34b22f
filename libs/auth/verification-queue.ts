/**
 * What the thread that callers are answered on and the one beside it share: a ring of places in memory both see, and how
 * many jobs were ever given and done. Only the one adds to the first number, only the other to the second.
 */

/** A power of two, so that a count that has gone once around all numbers still finds its place. */
const places = 128;
const placeBytes = 1_024;
const countersBytes = 64;
const keyBytes = 32;
const signatureBytes = 64;
const messageAt = keyBytes + signatureBytes;
const given = 0;
const done = 1;

export interface Job {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
}

interface Place {
  /** The outcome, and how long the message is. */
  readonly numbers: Int32Array;
  readonly bytes: Buffer;
}

export class AsideJobs {
  readonly memory: SharedArrayBuffer;
  readonly #counters: Int32Array;
  readonly #places: readonly Place[];

  static readonly most = places;
  static readonly longestMessage = placeBytes - 8 - messageAt;

  constructor(memory = new SharedArrayBuffer(countersBytes + places * placeBytes)) {
    this.memory = memory;
    this.#counters = new Int32Array(memory, 0, 2);
    this.#places = Array.from({ length: places }, (_, nth) => {
      const at = countersBytes + nth * placeBytes;
      return { numbers: new Int32Array(memory, at, 2), bytes: Buffer.from(memory, at + 8, placeBytes - 8) };
    });
  }

  get given(): number {
    return Atomics.load(this.#counters, given);
  }

  get done(): number {
    return Atomics.load(this.#counters, done);
  }

  /** There must be a place for it, and the message must fit. */
  give(publicKey: Uint8Array, signature: Uint8Array, latin1: string): void {
    const { numbers, bytes } = this.#at(this.given);
    bytes.set(publicKey, 0);
    bytes.set(signature, keyBytes);
    numbers[1] = bytes.write(latin1, messageAt, 'latin1');
    // What was written before a count is seen by whoever has read that count.
    Atomics.add(this.#counters, given, 1);
    Atomics.notify(this.#counters, given);
  }

  /** The job after so many, in the memory that is shared: gone when it is said to be done. */
  job(nth: number): Job {
    const { numbers, bytes } = this.#at(nth);
    return {
      publicKey: bytes.subarray(0, keyBytes),
      signature: bytes.subarray(keyBytes, messageAt),
      message: bytes.subarray(messageAt, messageAt + (numbers[1] as number)),
    };
  }

  tell(nth: number, holds: boolean): void {
    this.#at(nth).numbers[0] = holds ? 1 : 0;
    Atomics.add(this.#counters, done, 1);
  }

  told(nth: number): boolean {
    return this.#at(nth).numbers[0] === 1;
  }

  /** Sleeps until more than so many were given. */
  await(nth: number): void {
    Atomics.wait(this.#counters, given, nth);
  }

  #at(nth: number): Place {
    return this.#places[nth & (places - 1)] as Place;
  }
}
