import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AvroCodec } from '../../../kafka/avro-codec.ts';
import type { BookEvent as Written } from '../../../kafka/book-event.ts';
import type { SchemaRegistry } from '../../../kafka/schema-registry.ts';
import type { BookEvent } from './book-event.ts';
import { EventDecoder } from './event-decoder.ts';

interface AvroSchema {
  readonly fields: readonly { readonly name: string }[];
}

const file = new URL('../../../../schemas/book-event.avsc', import.meta.url);
const schema = JSON.parse(readFileSync(file, 'utf8')) as AvroSchema;

/** A registry in memory, as the service writes to it and the decoder reads from it. */
class FakeRegistry {
  readonly schemas: object[] = [];
  fetches = 0;

  async findId(_subject: string, registered: object): Promise<number> {
    return this.schemas.push(registered);
  }

  schemaOf = async (id: number): Promise<object> => {
    this.fetches += 1;
    const found = this.schemas[id - 1];
    if (found === undefined) throw new Error(`schema ${id} is not registered`);
    return found;
  };
}

function codecOf(registry: FakeRegistry, written: object = schema): Promise<AvroCodec<Written, Written<number>>> {
  const options = { subject: 's', schema: written, compatibility: 'FULL_TRANSITIVE' } as const;
  return AvroCodec.open(registry as unknown as SchemaRegistry, options);
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

// A new member of the type that is missing here does not compile.
const expected: { readonly [Name in keyof BookEvent]: unknown } = {
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

test('an event has all fields of its record, days and moments in the format of the contract', async () => {
  const registry = new FakeRegistry();
  const codec = await codecOf(registry);
  const read = await new EventDecoder(registry.schemaOf).decode(codec.encode(fact));
  expect(read).toEqual(expected);
  const shaped = new Set(['version_facts', 'version_at']);
  for (const { name } of schema.fields) if (!shaped.has(name)) expect(read).toHaveProperty(name);
});

test('an event of a Tenancy book has null for the fields of a Client', async () => {
  const registry = new FakeRegistry();
  const codec = await codecOf(registry);
  const bare = { ...fact, book_id: 't', client_id: null, occurred_on: null, version_at: null, listed: null };
  const later = { ...bare, evidence: { 'lending.EvidenceAt': { sequence: 5 } } };
  expect(await new EventDecoder(registry.schemaOf).decode(codec.encode(later))).toMatchObject({
    client_id: null,
    occurred_on: null,
    book_version: { facts: 3n, version: null },
    listed: null,
    evidence: null,
    evidence_at: 5n,
  });
});

test('numbers, days and moments are exact over their whole range', async () => {
  const registry = new FakeRegistry();
  const codec = await codecOf(registry);
  const decoder = new EventDecoder(registry.schemaOf);
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

test('records of older and newer schemas are decoded, and each schema is fetched once', async () => {
  const registry = new FakeRegistry();
  const older = await codecOf(registry, {
    ...schema,
    fields: schema.fields.filter(({ name }) => name !== 'merchant_ref'),
  });
  const grown = { name: 'branch', type: ['null', 'string'], default: null };
  const newer = await codecOf(registry, { ...schema, fields: [grown, ...schema.fields] });
  const decoder = new EventDecoder(registry.schemaOf);
  for (let time = 0; time < 3; time += 1) {
    expect(await decoder.decode(older.encode(fact))).toEqual({ ...expected, merchant_ref: null });
    expect(await decoder.decode(newer.encode({ ...fact, branch: 'north' } as typeof fact))).toEqual(expected);
  }
  expect(registry.fetches).toBe(2);
});

test('bytes that are not a record are refused', async () => {
  const decoder = new EventDecoder(new FakeRegistry().schemaOf);
  for (const broken of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from([0, 0, 0, 0, 9, 1])])
    await expect(decoder.decode(broken)).rejects.toThrow();
});
