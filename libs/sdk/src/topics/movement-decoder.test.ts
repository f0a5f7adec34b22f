import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { AvroCodec } from '../../../kafka/avro-codec.ts';
import type { MovementRecord } from '../../../kafka/movement.ts';
import type { SchemaRegistry } from '../../../kafka/schema-registry.ts';
import type { Movement } from './movement.ts';
import { MovementDecoder } from './movement-decoder.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../../../schemas/movement.avsc', import.meta.url), 'utf8'),
) as object & { readonly fields: readonly { readonly name: string }[] };

function codecOf(written: object): Promise<AvroCodec<MovementRecord, MovementRecord<number>>> {
  const registry = { findId: async () => 1 } as unknown as SchemaRegistry;
  return AvroCodec.open(registry, { subject: 's', schema: written, compatibility: 'FULL_TRANSITIVE' });
}

const line = {
  period: 1,
  charge: 'interest',
  kind: 'charged',
  day: 20_499,
  due_on: 20_500,
  amount: Number.MAX_SAFE_INTEGER - 1,
  tax: 16,
  fact: null,
};
const written: MovementRecord<number> = {
  partition: 3,
  sequence: 9,
  tenant_id: 'acme',
  book_id: 'c/ada',
  client_id: 'ada',
  fact: 2,
  kind: 'issued',
  recorded_at: 1_793_232_000_000_002,
  request_id: 'q-1',
  item: 0,
  loans: [{ loan_id: 'l-1', currency: 'MXN', added: [line, line], taken_back: [{ ...line, fact: 1 }] }],
};

const decodedLine = {
  ...line,
  day: '2026-02-15',
  due_on: '2026-02-16',
  amount: BigInt(Number.MAX_SAFE_INTEGER - 1),
  tax: 16n,
};
// A new member of the type that is missing here does not compile.
const expected: { readonly [Name in keyof Movement]: unknown } = {
  ...written,
  sequence: 9n,
  fact: 2n,
  recorded_at: '2026-10-29T00:00:00.000002Z',
  loans: [
    {
      loan_id: 'l-1',
      currency: 'MXN',
      added: [decodedLine, decodedLine],
      taken_back: [{ ...decodedLine, fact: 1n }],
    },
  ],
};

test('a movement is decoded exactly, and other bytes are refused', async () => {
  const decoder = new MovementDecoder(async () => schema);
  const bytes = (await codecOf(schema)).encode(written);
  const movement = await decoder.decode(bytes);
  expect(movement).toEqual(expected);
  for (const { name } of schema.fields) expect(movement).toHaveProperty(name);
  for (const broken of [Buffer.alloc(0), Buffer.from('{}'), bytes.subarray(0, -1)])
    await expect(decoder.decode(broken)).rejects.toThrow();
});

test('movements of a later schema are decoded', async () => {
  const grown = { name: 'branch', type: ['null', 'string'], default: null };
  const later = { ...schema, fields: [grown, ...schema.fields] };
  const bytes = (await codecOf(later)).encode({ ...written, branch: 'north' } as typeof written);
  expect(await new MovementDecoder(async () => later).decode(bytes)).toEqual(expected);
});
