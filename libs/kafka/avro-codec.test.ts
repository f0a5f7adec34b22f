import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';

/** A registry in memory. */
class InMemoryRegistry {
  readonly #schemas: object[] = [];

  async findId(_subject: string, schema: object): Promise<number> {
    return this.#schemas.push(schema);
  }

  async getSchema(_subject: string, id: number): Promise<object> {
    return this.#schemas[id - 1] as object;
  }
}

const registry = new InMemoryRegistry() as unknown as SchemaRegistry;

// avsc writes numbers up to this limit.
const long = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 });
const text = fc.string({ unit: 'grapheme' });
const bytes = fc.uint8Array({ maxLength: 64 }).map((value) => Buffer.from(value));
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const evidence = {
  method: text,
  target: text,
  ts: nullable(long),
  fp: nullable(text),
  signature: nullable(bytes),
  idempotency_key: nullable(text),
  body: bytes,
  body_encoding: fc.constantFrom('identity' as const, 'deflate' as const),
};

const item = fc.record({
  item: fc.nat(),
  book_id: text,
  namespace: nullable(text),
  reference: nullable(text),
  digest: bytes,
  body: nullable(text),
  ids: fc.array(text),
  resolved: nullable(text),
});

const submission = fc.record({
  request_id: text,
  ingress: text,
  tenant_id: text,
  operation: text,
  params: fc.dictionary(fc.constantFrom('loan_id', 'client_id'), text, { noNullPrototype: true }),
  // avsc reads numbers exactly below 2^52, which microseconds reach in the year 2112.
  taken_in_at: fc.integer({ min: 0, max: 2 ** 51 }),
  patience_ends_at: fc.integer({ min: 0, max: 2 ** 51 }),
  actor: nullable(text),
  caller_request_id: nullable(text),
  evidence: fc.record({ ...evidence, ts: nullable(fc.integer({ min: 0, max: 2 ** 51 })) }),
  items: fc.array(item, { maxLength: 3 }),
});

test('a decoded submission equals the encoded one', async () => {
  const codec = await AvroCodec.open<SubmissionRecord>(registry, submissionSchema);
  await fc.assert(
    fc.asyncProperty(submission, async (record) => {
      const read = JSON.parse(JSON.stringify(await codec.decode(codec.encode(record)))) as unknown;
      expect(read).toEqual(JSON.parse(JSON.stringify(record)));
    }),
  );
});

const event = fc.record({
  partition: fc.nat(11),
  sequence: long,
  tenant_id: text,
  book_id: text,
  client_id: nullable(text),
  fact: long,
  version_facts: long,
  version_at: nullable(long),
  counts: fc.boolean(),
  kind: text,
  occurred_on: nullable(fc.integer()),
  recorded_at: long,
  loan_id: nullable(text),
  event_id: nullable(text),
  merchant_ref: nullable(text),
  feed_number: nullable(long),
  act: nullable(fc.record({ reference: text, actor: text, basis: text, context: nullable(text) })),
  body: text,
  reference: nullable(fc.record({ namespace: text, reference: text, digest: bytes, subject: text })),
  issued: nullable(fc.record({ configuration_id: text, configuration_version: fc.nat() })),
  listed: nullable(fc.record({ listing: text, number: long, id: text, row: text })),
  request_id: text,
  item: fc.nat(),
  offset: long,
  evidence: fc.oneof(
    fc.record({ 'lending.EvidenceAt': fc.record({ sequence: long }) }),
    fc.record({
      'lending.Evidence': fc.record({
        ...evidence,
        actor: nullable(text),
        caller_request_id: nullable(text),
        taken_in_at: long,
      }),
    }),
  ),
});

test('submissions of any length are decoded correctly, and encoding does not overwrite earlier results', async () => {
  const codec = await AvroCodec.open<SubmissionRecord>(registry, submissionSchema);
  const around = fc.integer({ min: 65_000, max: 66_000 });
  await fc.assert(
    fc.asyncProperty(submission, fc.oneof(around, fc.nat(300_000)), async (record, length) => {
      const long = { ...record, evidence: { ...record.evidence, body: Buffer.alloc(length, 'x') } };
      const [written, next] = [codec.encode(long), codec.encode(record)];
      const [first, second] = [await codec.decode(written), await codec.decode(next)];
      expect(first.evidence.body.equals(long.evidence.body)).toBe(true);
      expect(first.request_id).toBe(long.request_id);
      expect(second.evidence.body.equals(record.evidence.body)).toBe(true);
      expect(second.items.length).toBe(record.items.length);
    }),
  );
});

test('a decoded event equals the encoded one, with exact numbers beyond 2^52', async () => {
  const codec = await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema);
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)),
    ) as unknown;
  await fc.assert(
    fc.asyncProperty(event, async (record) => {
      const read = await codec.decode(codec.encode(record));
      expect(plain(read)).toEqual(plain(record));
      // Moments are longs with a logical type.
      expect([typeof read.recorded_at, typeof read.sequence]).toEqual(['bigint', 'bigint']);
    }),
  );
});

test('a record of an older schema is read by a newer one, with the default of the new field', async () => {
  const older = JSON.parse(readFileSync(new URL('../../schemas/submission.avsc', import.meta.url), 'utf8')) as {
    fields: { name: string }[];
  };
  const newer = { ...older, fields: [...older.fields, { name: 'added', type: 'string', default: 'since then' }] };
  const writer = await AvroCodec.open<SubmissionRecord>(registry, { ...submissionSchema, schema: older });
  const reader = await AvroCodec.open<SubmissionRecord & { added: string }>(registry, {
    ...submissionSchema,
    schema: newer,
  });
  const record = fc.sample(submission, 1)[0] as SubmissionRecord;
  expect((await reader.decode(writer.encode(record))).added).toBe('since then');
});

test('bytes that are not a record are rejected', async () => {
  const codec = await AvroCodec.open<SubmissionRecord>(registry, submissionSchema);
  for (const broken of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from([0, 0, 0, 0, 1])]) {
    await expect(async () => codec.decode(broken)).rejects.toThrow();
  }
});
