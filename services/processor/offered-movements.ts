/** Movements of one partition that wait to be published, as the processor computed them. */
import type { OfferedMovement } from './offer-movements.ts';

/** More are computed from the database, when their turn comes. */
const maxBytes = 2 * 1024 * 1024;

type Message = Pick<OfferedMovement, 'key' | 'value'>;

export class OfferedMovements {
  readonly #messages = new Map<number, Message>();
  #bytes = 0;

  add({ sequence, key, value }: OfferedMovement): void {
    if (this.#bytes + value.length > maxBytes || this.#messages.has(sequence)) return;
    this.#messages.set(sequence, { key, value });
    this.#bytes += value.length;
  }

  /** How many numbers after this one have no movement, up to the next one that has. */
  countMissingAfter(published: number): number {
    for (const sequence of this.#messages.keys()) if (sequence > published) return sequence - published - 1;
    return Number.POSITIVE_INFINITY;
  }

  /** Those that follow the number without a gap, up to the last one. Earlier ones are dropped. */
  takeAfter(published: number, last: number, maxBatchBytes: number): Message[] {
    const taken: Message[] = [];
    let bytes = 0;
    for (let sequence = published + 1; sequence <= last; sequence += 1) {
      const message = this.#messages.get(sequence);
      if (message === undefined) break;
      bytes += message.value.length;
      if (taken.length > 0 && bytes > maxBatchBytes) break;
      taken.push(message);
    }
    for (const [sequence, { value }] of this.#messages) {
      if (sequence > published + taken.length) continue;
      this.#messages.delete(sequence);
      this.#bytes -= value.length;
    }
    return taken;
  }
}
