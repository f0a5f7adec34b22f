/** Puts the parts of an ingress together. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Handlers } from '#libs/door/handler.ts';
import { AvroCodec } from '#libs/log/avro.ts';
import type { Log, Say } from '#libs/log/kafka.ts';
import { LogWriter } from '#libs/log/log-writer.ts';
import { SchemaRegistry } from '#libs/log/schema-registry.ts';
import { submissionAvro } from '#libs/log/schemas.ts';
import type { SubmissionRecord } from '#libs/log/submission.ts';
import type { KindOf } from '#libs/store/books.ts';
import type { Database } from '#libs/store/database.ts';
import { openLocations } from '#libs/store/locations.ts';
import { Administration } from '#libs/submission/administration.ts';
import { Submitter } from '#libs/submission/submitter.ts';
import { VerdictDesk } from '#libs/submission/verdict-desk.ts';
import { ingressHandlers } from './ingress.ts';

export interface IngressParts {
  readonly kafka: Log;
  readonly schemaRegistryUrl: string;
  readonly database: Database;
  /** A connection of its own: one that subscribes can do nothing else. */
  readonly subscriber: Redis;
  readonly kindOf: KindOf;
  readonly say: Say;
}

export interface Ingress {
  readonly handlers: Handlers;
  /** What people do with Tenancies and keys, by the same way. */
  readonly administration: Administration;
  /** Requests that await their verdict. */
  readonly waiting: () => number;
  stop(): Promise<void>;
}

export async function openIngress({
  kafka,
  schemaRegistryUrl,
  database,
  subscriber,
  kindOf,
  say,
}: IngressParts): Promise<Ingress> {
  const ingress = randomUUID();
  const codec = await AvroCodec.register<SubmissionRecord>(new SchemaRegistry(schemaRegistryUrl), submissionAvro);
  const writer = await LogWriter.open(kafka);
  const desk = new VerdictDesk({ ingress, subscriber, database, say });
  const submitter = new Submitter({ ingress, writer, codec, desk });
  return {
    handlers: ingressHandlers({ submitter, database, locations: openLocations(database), kindOf }),
    administration: new Administration(submitter, database),
    waiting: () => desk.size,
    async stop() {
      await writer.close();
      desk.close();
    },
  };
}
