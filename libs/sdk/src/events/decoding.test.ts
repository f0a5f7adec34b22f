import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AvroCodec } from '../../../kafka/avro.ts';
import type { BookEvent as Written } from '../../../kafka/book-event.ts';
import type { SchemaRegistry } from '../../../kafka/schema-registry.ts';
import type { BookEvent } from './book-event.ts';
import { EventDecoder } from './decoding.ts';

interface AvroSchema {
  readonly fields: readonly { readonly name: string }[];
}

const file = new URL('../../../../schemas/book-event.avsc', import.meta.url);
const schema = JSON.parse(readFileSync(file, 'utf8')) as AvroSchema;

/** A registry in memory, as the service writes to it and the decoder reads from it. */
class Shelf {
  readonly schemas: object[] = [];
  asked = 0;

  async register(_subject: string, registered: object): Promise<number> {
    return this.schemas.push(registered);
  }

  schemaOf = async (id: number): Promise<object> => {
    this.asked += 1;
    const found = this.schemas[id - 1];
    if (found === undefined) throw new Error(`nobody registered ${id}`);
    return found;
  };
}

function codecOf(shelf: Shelf, written: object = schema): Promise<AvroCodec<Written, Written<number>>> {
  const options = { subject: 's', schema: written, compatibility: 'FULL_TRANSITIVE' } as const;
  return AvroCodec.register(shelf as unknown as SchemaRegistry, options);
}

const evidence = {
  method: 'POST',
  target: '/v1/tenants/acme/receipts',
  ts: 1_793_232_000,
  fp: '21fe31dfa154a261626bf854046fd227',
  signature: Buffer.from('signature'),
  idempotency_key: null,
  body: Buffer.from('{}'),
  body_encoding: 'identity',
  actor: null,
  caller_request_id: null,
  taken_in_at: 1_793_232_000_000_001,
};

const fact: Written<number> = {
  partition: 3,
  sequence: 12,
  tenant_id: 'acme',
  book_id: 'c/ada',
  client_id: 'ada',
  fact: 4,
  version_facts: 3,
  version_at: 1_793_232_000_000_002,
  counts: true,
  kind: 'written_off',
  occurred_on: 0,
  recorded_at: 1_793_232_000_000_002,
  loan_id: 'l-1',
  event_id: 'e-1',
  merchant_ref: 'shop',
  feed_number: 9,
  act: { reference: 'a-1', actor: 'ana', basis: 'as agreed', context: null },
  body: '{"loan_id":"l-1"}',
  reference: { namespace: 'acts', reference: 'a-1', digest: Buffer.from('digest'), subject: 'e-1' },
  issued: { configuration_id: 'ins-000001', configuration_version: 2 },
  listed: { listing: 'loans', number: 7, id: 'l-1', row: '{}' },
  request_id: 'q-1',
  item: 2,
  offset: 44,
  evidence: { 'lending.Evidence': evidence },
};

// A member that is added to the type and not here does not compile.
const told: { readonly [Name in keyof BookEvent]: unknown } = {
  partition: 3,
  sequence: 12n,
  tenant_id: 'acme',
  book_id: 'c/ada',
  client_id: 'ada',
  fact: 4n,
  kind: 'written_off',
  occurred_on: '1970-01-01',
  recorded_at: '2026-10-29T00:00:00.000002Z',
  loan_id: 'l-1',
  event_id: 'e-1',
  merchant_ref: 'shop',
  feed_number: 9n,
  act: fact.act,
  body: '{"loan_id":"l-1"}',
  book_version: { facts: 3n, version: '2026-10-29T00:00:00.000002Z' },
  counts: true,
  reference: fact.reference,
  issued: fact.issued,
  listed: { ...fact.listed, number: 7n },
  request_id: 'q-1',
  item: 2,
  offset: 44n,
  evidence: { ...evidence, ts: 1_793_232_000n, taken_in_at: '2026-10-29T00:00:00.000001Z' },
  evidence_at: null,
};

test('a fact is told with all the topic says of it, days and moments as the contract writes them', async () => {
  const shelf = new Shelf();
  const codec = await codecOf(shelf);
  const read = await new EventDecoder(shelf.schemaOf).decode(codec.encode(fact));
  expect(read).toEqual(told);
  const shaped = new Set(['version_facts', 'version_at']);
  for (const { name } of schema.fields) if (!shaped.has(name)) expect(read).toHaveProperty(name);
});

test('a fact of the Tenancy, that caused by an earlier request of the same partition, has what it has', async () => {
  const shelf = new Shelf();
  const codec = await codecOf(shelf);
  const bare = { ...fact, book_id: 't', client_id: null, occurred_on: null, version_at: null, listed: null };
  const later = { ...bare, evidence: { 'lending.EvidenceAt': { sequence: 5 } } };
  expect(await new EventDecoder(shelf.schemaOf).decode(codec.encode(later))).toMatchObject({
    client_id: null,
    occurred_on: null,
    book_version: { facts: 3n, version: null },
    listed: null,
    evidence: null,
    evidence_at: 5n,
  });
});

test('numbers, days and moments are exact as far as the service writes them', async () => {
  const shelf = new Shelf();
  const codec = await codecOf(shelf);
  const decoder = new EventDecoder(shelf.schemaOf);
  const micros = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 });
  await fc.assert(
    fc.asyncProperty(micros, fc.integer({ min: -25_567, max: 2_932_896 }), async (number, day) => {
      const read = await decoder.decode(
        codec.encode({ ...fact, sequence: number, recorded_at: number, occurred_on: day }),
      );
      expect(read.sequence).toBe(BigInt(number));
      const ms = Date.parse(read.recorded_at);
      expect(BigInt(ms) * 1_000n + BigInt(read.recorded_at.slice(-4, -1))).toBe(BigInt(number));
      expect(Date.parse(String(read.occurred_on))).toBe(day * 86_400_000);
    }),
  );
});

test('records of other schemas, older and newer, are read by the one this package knows; each is asked for once', async () => {
  const shelf = new Shelf();
  const older = await codecOf(shelf, {
    ...schema,
    fields: schema.fields.filter(({ name }) => name !== 'merchant_ref'),
  });
  const grown = { name: 'branch', type: ['null', 'string'], default: null };
  const newer = await codecOf(shelf, { ...schema, fields: [grown, ...schema.fields] });
  const decoder = new EventDecoder(shelf.schemaOf);
  for (let time = 0; time < 3; time += 1) {
    expect(await decoder.decode(older.encode(fact))).toEqual({ ...told, merchant_ref: null });
    expect(await decoder.decode(newer.encode({ ...fact, branch: 'north' } as typeof fact))).toEqual(told);
  }
  expect(shelf.asked).toBe(2);
});

test('bytes that are no record are refused, not read as one', async () => {
  const decoder = new EventDecoder(new Shelf().schemaOf);
  for (const broken of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from([0, 0, 0, 0, 9, 1])])
    await expect(decoder.decode(broken)).rejects.toThrow();
});
