/** Schema evolution of the published topic: old readers read new records, new readers read old records. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import kafkajs, { type Kafka } from 'kafkajs';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { bookEventSchema, type BookEvent as Written } from '#libs/kafka/book-event.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type BookEvent, consumeBookEvents, EventDecoder, EventsMissingError } from '#libs/sdk/src/topics/exports.ts';
import { registrySchemas } from '#libs/sdk/src/topics/schema-registry.ts';
import { type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

interface AvroSchema {
  readonly fields: readonly { readonly name: string; readonly type: unknown; readonly default?: unknown }[];
}

const schema = bookEventSchema.schema as AvroSchema;
const grown = { ...schema, fields: [...schema.fields, { name: 'branch', type: ['null', 'string'], default: null }] };

let environment: TestEnvironment;
let registry: SchemaRegistry;
let kafka: Kafka;
beforeAll(() => {
  environment = testEnvironment();
  registry = new SchemaRegistry(environment.stack.schemaRegistryUrl);
  const brokers = environment.stack.kafkaBrokers.split(',');
  kafka = new kafkajs.Kafka({ clientId: 'evolution', brokers, logLevel: kafkajs.logLevel.NOTHING });
});

function fact(sequence: number): Written<number> {
  return {
    partition: 0,
    sequence,
    tenant_id: 'acme',
    book_id: 'c/ada',
    client_id: 'ada',
    fact: sequence,
    version_facts: sequence,
    version_at: 1_793_232_000_123_456,
    counts: true,
    kind: 'receipt_reported',
    occurred_on: 20_500,
    recorded_at: 1_793_232_000_123_456,
    loan_id: null,
    event_id: null,
    merchant_ref: null,
    feed_number: null,
    act: { reference: 'a-1', actor: 'ana', basis: 'as agreed', context: '{"branch":7}' },
    body: `{"id":"${sequence}"}`,
    reference: { namespace: 'receipts', reference: `r-${sequence}`, digest: Buffer.from('digest'), subject: 'id' },
    issued: { configuration_id: 'ins-000001', configuration_version: 2 },
    listed: null,
    request_id: 'q',
    item: 0,
    offset: sequence,
    evidence: { 'lending.EvidenceAt': { sequence: 1 } },
  };
}

/** A new topic, written alternately with the current and the extended schema. */
async function topicOf(sequences: readonly number[]): Promise<string> {
  const topic = `test-${randomUUID()}`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const options = { subject: `${topic}-value`, compatibility: 'FULL_TRANSITIVE' } as const;
  for (const each of [schema, grown]) await registry.register(options.subject, each, options.compatibility);
  const older = await AvroCodec.open<Written, Written<number>>(registry, { ...options, schema });
  type Grown = Written<number> & { branch: string | null };
  const newer = await AvroCodec.open<Grown, Grown>(registry, { ...options, schema: grown });
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const messages = sequences.map((sequence) => ({
    key: 'acme/c/ada',
    value: sequence % 2 === 0 ? newer.encode({ ...fact(sequence), branch: 'north' }) : older.encode(fact(sequence)),
  }));
  await producer.send({ topic, messages });
  await producer.disconnect();
  return topic;
}

/** The events that the current SDK consumer receives from a topic. */
async function consumed(topic: string, last: bigint): Promise<BookEvent[]> {
  const taken: BookEvent[] = [];
  const stop = new AbortController();
  await consumeBookEvents({
    kafka,
    topic,
    groupId: topic,
    registry: { url: environment.stack.schemaRegistryUrl },
    positionsOf: async () => new Map(),
    async take({ events, position }) {
      taken.push(...events);
      if (position.sequence === last) stop.abort();
    },
    signal: stop.signal,
  });
  return taken;
}

test('a current consumer reads records of a later schema and drops repeated ones', async () => {
  const topic = await topicOf([1, 2, 2, 3, 1, 2, 3, 4, 5]);
  const events = await consumed(topic, 5n);
  expect(events.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n]);
  for (const event of events) {
    expect(event).toMatchObject({
      tenant_id: 'acme',
      book_id: 'c/ada',
      occurred_on: '2026-02-16',
      recorded_at: '2026-10-29T00:00:00.123456Z',
      body: `{"id":"${event.sequence}"}`,
      book_version: { facts: event.sequence, version: '2026-10-29T00:00:00.123456Z' },
      act: { reference: 'a-1', actor: 'ana', basis: 'as agreed', context: '{"branch":7}' },
      evidence: null,
      evidence_at: 1n,
    });
    expect(event).not.toHaveProperty('branch');
  }
});

test('a later consumer reads records of the current schema', async () => {
  const topic = await topicOf([1]);
  const { subject, compatibility } = { subject: `${topic}-value`, compatibility: 'FULL_TRANSITIVE' } as const;
  const older = await AvroCodec.open<Written, Written<number>>(registry, { subject, compatibility, schema });
  const decoder = new EventDecoder(registrySchemas({ url: environment.stack.schemaRegistryUrl }), grown);
  const read = await decoder.decode(older.encode(fact(9_007_199_254_740_990)));
  expect(read).toMatchObject({ sequence: 9_007_199_254_740_990n, branch: null });
});

test('a gap stops the consumer before any event after it is delivered', async () => {
  const topic = await topicOf([1, 2, 4]);
  await expect(consumed(topic, 4n)).rejects.toThrow(EventsMissingError);
});

test('an undecodable record stops the consumer, because skipping it would be a gap', async () => {
  const topic = await topicOf([1]);
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  await producer.send({ topic, messages: [{ key: 'acme/c/ada', value: 'no record' }] });
  await producer.disconnect();
  await expect(consumed(topic, 2n)).rejects.toThrow('not a record with a schema id');
});

describe('the registry refuses', () => {
  const without = (name: string) => ({ ...schema, fields: schema.fields.filter((field) => field.name !== name) });
  const withKind = (type: unknown) => ({
    ...schema,
    fields: schema.fields.map((field) => (field.name === 'kind' ? { ...field, type } : field)),
  });
  const withField = (field: object) => ({ ...schema, fields: [...schema.fields, field] });

  test.each([
    ['removing a field that older readers need', without('kind')],
    ['adding a field without a default', withField({ name: 'branch', type: 'string' })],
    ['changing a type', withKind('long')],
    [
      'renaming a field',
      { ...without('body'), fields: [...without('body').fields, { name: 'fact_body', type: 'string' }] },
    ],
  ])('%s', async (_, broken) => {
    const subject = `test-${randomUUID()}-value`;
    await registry.register(subject, schema, 'FULL_TRANSITIVE');
    await registry.register(subject, grown, 'FULL_TRANSITIVE');
    await expect(registry.register(subject, broken, 'FULL_TRANSITIVE')).rejects.toMatchObject({ status: 409 });
  });
});
