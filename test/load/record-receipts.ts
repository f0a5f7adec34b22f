/** Sends prepared requests until each has succeeded, and waits until what they recorded is published. */
import pg from 'pg';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { Connection } from './connection.ts';

const pollIntervalMs = 100;

/** A request that is rejected under load is sent again. */
export async function sendAll(port: number, requests: readonly Buffer[], connectionCount: number): Promise<void> {
  const unsent = [...requests];
  await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      const connection = await Connection.open(port);
      for (let request = unsent.pop(); request !== undefined; request = unsent.pop()) {
        const { status, body } = await connection.send(request);
        if (status === 429 || status === 503) unsent.push(request);
        else if (status > 201) throw new Error(`answered ${status}: ${body}; expected 200 or 201`);
      }
      connection.close();
    }),
  );
}

/** Returns the number of events. */
export async function waitUntilPublished({ databaseUrl, kafkaBrokers }: BackingServiceAddresses): Promise<number> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query('SELECT sum(next_event - 1)::int AS events FROM partitions');
  await database.end();
  const { events } = rows[0] as { events: number };
  const kafka = connectKafka(kafkaBrokers, 'bench');
  for (;;) {
    const ends = await topicOffsets(kafka, topics.bookEvents);
    if ([...ends.values()].reduce((sum, { high }) => sum + high, 0) >= events) return events;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}
