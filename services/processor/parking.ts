/** What cannot be decided is put aside for a person, with an alert; its book waits, the others go on (A9). */

import type { ParkedRecord, ParkedRow } from '#libs/database/parked.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import type { LogWriter } from '#libs/kafka/log-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { isReadable } from './log-entry.ts';
import type { BatchResult, ParkedEntry } from './turn-state.ts';

/** The copies are in their topic before the offset passes them by; parked again after a fault, they are there twice. */
export async function park(log: LogWriter, say: WarnLog, { parked, parkedStill }: BatchResult): Promise<void> {
  const copies = new Set(parked.map(({ taken }) => taken));
  await Promise.all(
    [...copies].map(({ partition, source }) =>
      log.append({
        topic: topics.parked,
        partition,
        key: source.key?.toString('utf8') ?? '',
        value: source.value ?? Buffer.alloc(0),
      }),
    ),
  );
  for (const { taken, book, fault } of parked) {
    const { partition, offset } = taken;
    if (fault !== undefined) say.error({ err: fault, book_id: book?.bookId, partition, offset }, 'a book was parked');
  }
  for (const { place, fault } of parkedStill) {
    const { bookId, partition, offset } = place;
    say.error({ err: fault, book_id: bookId, partition, offset }, 'a book that was released was parked again');
  }
}

/** What waits from now on, for the release that will decide it. */
export function parkedRows(parked: readonly ParkedEntry[]): ParkedRow[] {
  return parked.flatMap(({ taken, book, pending, fault }) => {
    if (book === undefined) return [];
    const { partition, offset } = taken;
    return {
      tenantId: book.tenantId,
      bookId: book.bookId,
      partition,
      offset,
      item: pending?.item.item ?? -1,
      requestId: isReadable(taken) ? taken.record.request_id : null,
      operation: pending?.submission.operation ?? null,
      reference: pending?.submission.reference ?? null,
      digest: pending?.item.digest ?? null,
      fault: fault === undefined ? null : said(fault),
    };
  });
}

/** The records it is read from again, each once. */
export function parkedRecords(parked: readonly ParkedEntry[]): ParkedRecord[] {
  const records = new Set(parked.map(({ taken }) => taken));
  return [...records].map(({ partition, offset, source }) => ({
    partition,
    offset,
    value: source.value ?? Buffer.alloc(0),
  }));
}

function said(fault: unknown): string {
  // What Postgres keeps as text holds no NUL.
  return String(fault instanceof Error ? fault.message : fault)
    .replaceAll('\0', '')
    .slice(0, 2_000);
}
