/** Parks what cannot be decided (A9): its records in a topic, its rows with the commit, its cause in the log. */
import type { ParkedLogEntry, ParkedRow } from '#libs/database/parked-submissions.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { BatchDecision, SubmissionToPark } from './batch-decision.ts';
import { isDecoded } from './log-entry.ts';

/**
 * Copies the records to the topic of parked records, before the commit moves the offset past them. A batch is tried again
 * while the database does not answer: `copied` has the records of earlier attempts.
 */
export async function publishParkedRecords(
  topic: Pick<TopicWriter, 'append'>,
  { parked }: Pick<BatchDecision, 'parked'>,
  copied: WeakSet<TopicRecord>,
): Promise<void> {
  const entries = new Map(parked.map(({ entry }) => [entry.source, entry]));
  await Promise.all(
    [...entries.values()]
      .filter(({ source }) => !copied.has(source))
      .map(async ({ partition, source }) => {
        await topic.append({
          topic: topics.parked,
          partition,
          key: source.key?.toString('utf8') ?? '',
          value: source.value ?? Buffer.alloc(0),
        });
        copied.add(source);
      }),
  );
}

/** After the commit: until then no book is parked. */
export function logParked(logger: Logger, { parked, parkedAgain }: BatchDecision): void {
  for (const { entry, book, cause } of parked) {
    if (cause === undefined) continue;
    const { partition, offset } = entry;
    const named = { tenant_id: book?.tenantId, book_id: book?.bookId, partition, offset };
    logger.error(
      { event: 'processor.book_parked', err: cause, ...named },
      'parked a book; release it once the cause is fixed',
    );
  }
  for (const { position, cause } of parkedAgain) {
    const { tenantId, bookId, partition, offset } = position;
    const named = { tenant_id: tenantId, book_id: bookId, partition, offset };
    logger.error(
      { event: 'processor.book_parked_again', err: cause, ...named },
      'parked a released book again; its submission failed once more',
    );
  }
}

/** The rows that a later release reads. */
export function parkedRows(parked: readonly SubmissionToPark[]): ParkedRow[] {
  return parked.flatMap(({ entry, book, item, cause }) => {
    if (book === undefined) return [];
    const { partition, offset } = entry;
    return {
      tenantId: book.tenantId,
      bookId: book.bookId,
      partition,
      offset,
      item: item?.source.item ?? -1,
      requestId: isDecoded(entry) ? entry.record.request_id : null,
      operation: item?.submission.operation ?? null,
      reference: item?.submission.reference ?? null,
      digest: item?.source.digest ?? null,
      error: cause === undefined ? null : causeText(cause),
    };
  });
}

/** The records of those rows, each once. */
export function parkedRecords(parked: readonly SubmissionToPark[]): ParkedLogEntry[] {
  const entries = new Set(parked.map(({ entry }) => entry));
  return [...entries].map(({ partition, offset, source }) => ({
    partition,
    offset,
    value: source.value ?? Buffer.alloc(0),
  }));
}

function causeText(cause: unknown): string {
  // Postgres text cannot hold NUL.
  return String(cause instanceof Error ? cause.message : cause)
    .replaceAll('\0', '')
    .slice(0, 2_000);
}
