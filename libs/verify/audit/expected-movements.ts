/**
 * What lending.movements must hold: a digest of the movement of each fact, computed by the audit of its book. The digests
 * are in a file for each partition, because books are audited in another order than the topic has.
 */
import { createHash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import type { MovementRecord } from '#libs/kafka/movement.ts';
import { nameOfFact, type ReportFinding } from './audit-topic.ts';

const digestBytes = 8;

export class ExpectedMovements {
  readonly #fileOf: (partition: number) => number;
  readonly #lastEvents: ReadonlyMap<number, number>;
  readonly #digest = Buffer.alloc(digestBytes);

  /** By partition, the descriptor of its file, and the number of the last event. */
  constructor(fileOf: (partition: number) => number, lastEvents: ReadonlyMap<number, number>) {
    this.#fileOf = fileOf;
    this.#lastEvents = lastEvents;
  }

  add(movement: MovementRecord<number>): void {
    const { partition, sequence } = movement;
    if (sequence < 1 || sequence > (this.#lastEvents.get(partition) ?? 0)) return;
    this.#digest.writeBigUInt64LE(digestOf(movement));
    writeSync(this.#fileOf(partition), this.#digest, 0, digestBytes, sequence * digestBytes);
  }

  readonly compare = (partition: number, movements: readonly MovementRecord[], report: ReportFinding): void => {
    for (const movement of movements) {
      const sequence = Number(movement.sequence);
      const expected = this.#find(partition, sequence);
      if (expected === 0n || expected === digestOf(movement)) continue;
      report('the movement differs from the fold of the facts', sequence, { found: nameOfFact(movement) });
    }
  };

  /** 0 where the fact could not be folded. */
  #find(partition: number, sequence: number): bigint {
    if (sequence < 1) return 0n;
    const read = readSync(this.#fileOf(partition), this.#digest, 0, digestBytes, sequence * digestBytes);
    return read === digestBytes ? this.#digest.readBigUInt64LE() : 0n;
  }
}

/** The members of a decoded record are in the order of the schema, as those of a computed one. */
function digestOf(movement: MovementRecord<number | bigint>): bigint {
  const text = JSON.stringify(movement, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  return createHash('sha256').update(text).digest().readBigUInt64LE() | 1n;
}
