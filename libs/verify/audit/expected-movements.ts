/** What lending.movements must hold: a digest of the movement of each fact, computed by the audit of its book. */
import { createHash } from 'node:crypto';
import type { MovementRecord } from '#libs/kafka/movement.ts';
import { nameOfFact, type ReportFinding } from './audit-topic.ts';

export class ExpectedMovements {
  /** By partition and event number, the first eight bytes of the digest: 0 where the fact could not be folded. */
  readonly #digests: ReadonlyMap<number, BigUint64Array>;

  /** By partition, the number of the last event. */
  constructor(lastEvents: ReadonlyMap<number, number>) {
    this.#digests = new Map([...lastEvents].map(([partition, last]) => [partition, new BigUint64Array(last + 1)]));
  }

  add(movement: MovementRecord<number>): void {
    const digests = this.#digests.get(movement.partition);
    if (digests !== undefined && movement.sequence < digests.length) digests[movement.sequence] = digestOf(movement);
  }

  readonly compare = (partition: number, movements: readonly MovementRecord[], report: ReportFinding): void => {
    const digests = this.#digests.get(partition);
    for (const movement of movements) {
      const sequence = Number(movement.sequence);
      const expected = digests?.[sequence] ?? 0n;
      if (expected === 0n || expected === digestOf(movement)) continue;
      report('the movement differs from the fold of the facts', sequence, { found: nameOfFact(movement) });
    }
  };
}

/** The members of a decoded record are in the order of the schema, as those of a computed one. */
function digestOf(movement: MovementRecord<number | bigint>): bigint {
  const text = JSON.stringify(movement, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  return createHash('sha256').update(text).digest().readBigUInt64LE() | 1n;
}
