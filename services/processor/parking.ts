/** What cannot be decided is put aside for a person, with an alert; its book waits, the others go on (A9). */
import type { Say } from '#libs/log/kafka.ts';
import type { LogWriter } from '#libs/log/log-writer.ts';
import { topics } from '#libs/log/topics.ts';
import type { Parked } from './turn.ts';

/** The copies are in their topic before the offset passes them by; parked again after a fault, they are there twice. */
export async function park(log: LogWriter, say: Say, parked: readonly Parked[]): Promise<void> {
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
  for (const { taken, bookId, fault } of parked) {
    const { partition, offset } = taken;
    if (fault !== undefined) say.error({ err: fault, book_id: bookId, partition, offset }, 'a book was parked');
  }
}
