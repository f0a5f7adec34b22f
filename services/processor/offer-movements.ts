/**
 * Computes the movements of committed facts from the books that the processor holds, where that is quick. The process of
 * movements need not load these books and fold the facts again, which took several times as long as to decide them.
 */
import type { DeciderFor } from '#libs/database/books.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { type MovementCodec, movementRecord } from '#libs/kafka/movement.ts';
import type { BatchDecision, BookChange } from './batch-decision.ts';

/** A movement for the topic. */
export interface OfferedMovement {
  readonly partition: number;
  /** Of its event. */
  readonly sequence: number;
  readonly key: string;
  readonly value: Buffer;
}

/** Movements that are not offered are computed from the database. */
export interface MovementReceiver {
  readonly accepts: boolean;
  offer(movements: readonly OfferedMovement[]): void;
}

export interface OfferOptions {
  readonly receiver: MovementReceiver;
  readonly codec: MovementCodec;
  readonly deciderFor: DeciderFor;
}

export function offerMovements({ changes }: BatchDecision, { receiver, codec, deciderFor }: OfferOptions): void {
  if (!receiver.accepts) return;
  const offered: OfferedMovement[] = [];
  for (const change of changes) {
    const movement = computeMovement(change, codec, deciderFor);
    if (movement !== undefined) offered.push(movement);
  }
  if (offered.length > 0) receiver.offer(offered);
}

function computeMovement({ row, before, after }: BookChange, codec: MovementCodec, deciderFor: DeciderFor) {
  const { tenantId, bookId, sequence, fact, recordedAt, requestId, item, partition, eventNumber } = row;
  const { journal } = deciderFor(bookId);
  const loans = journal === undefined || !fact.counts ? [] : journal.quickMovement(before, after);
  if (loans === undefined) return undefined;
  const moved = {
    tenant_id: tenantId,
    book_id: bookId,
    sequence,
    kind: fact.kind,
    recorded_at: recordedAt,
    request_id: requestId,
    item,
    partition,
    event_number: eventNumber,
  };
  const value = codec.encode(movementRecord(moved, loans));
  return { partition, sequence: eventNumber, key: bookKey(tenantId, bookId), value };
}
