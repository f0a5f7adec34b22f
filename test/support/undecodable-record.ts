/** A record that cannot be decoded: the processor parks its book. */
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { partitionOf } from './partitions.ts';
import { testEnvironment } from './tenant.ts';

export async function writeUndecodable(tenantId: string, bookId: string): Promise<void> {
  const key = bookKey(tenantId, bookId);
  const writer = await TopicWriter.open(connectKafka(testEnvironment().stack.kafkaBrokers, 'undecodable'));
  await writer.append({ topic: topics.submissions, partition: partitionOf(key), key, value: Buffer.from('no record') });
  await writer.close();
}
