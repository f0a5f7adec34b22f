/** What is exported as CSV is imported as it was, whatever the texts hold. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isClientLine, readClientLines } from '../clients/client-file.ts';
import { type Cell, csvRow } from '../output/csv.ts';
import { isReceipt, isReversed, readCsv } from '../receipts/receipt-files.ts';
import { clientColumns, type ExportedClient } from './export-clients.ts';
import { type ExportedReceipt, receiptColumns } from './export-receipts.ts';

const hostileText = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    '"',
    ',',
    ';',
    '\n',
    '\r',
    '\t',
    ' ',
    '\u00a0',
    '\ufeff',
    'a',
    '1',
    'é',
  ),
  minLength: 1,
  maxLength: 12,
});
const context = fc.option(fc.dictionary(hostileText, fc.oneof(hostileText, fc.double(), fc.boolean())), {
  nil: undefined,
});
const stated = <Value>(value: Value | undefined, name: string): object =>
  value === undefined ? {} : { [name]: value };

/** The text of the file in pieces, as it is read. */
async function* fileOf<Item>(columns: Readonly<Record<string, (item: Item) => Cell>>, items: readonly Item[]) {
  yield csvRow(Object.keys(columns));
  for (const item of items) yield csvRow(Object.values(columns).map((cell) => cell(item)));
}

test('Receipts', async () => {
  const receipt = fc.record<ExportedReceipt>({
    id: fc.uuid(),
    reference: hostileText,
    client_id: fc.constantFrom('ada', '-ada', '_'),
    amount: fc.record({ minor_units: fc.integer({ min: 1 }), currency: fc.constant('MXN') }),
    value_date: fc.constant('2026-02-15'),
    payoff_intent: fc.boolean(),
    provider_reference: hostileText,
    reported_at: fc.constant('2026-02-15T12:00:00.000000Z'),
    reversed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(receipt, context), { maxLength: 5 }), async (pairs) => {
      const receipts = pairs.map(([each, value]) => ({ ...each, ...stated(value, 'context') }) as ExportedReceipt);
      const posted: unknown[] = [];
      for await (const line of readCsv(fileOf(receiptColumns, receipts), { isDecimal: false, delimiter: ',' })) {
        if (isReversed(line)) continue;
        posted.push(isReceipt(line) ? JSON.parse(line.body) : line);
      }
      const expected = receipts
        .filter(({ reversed }) => !reversed)
        .map(({ id: _, reported_at: _at, reversed: _reversed, payoff_intent, ...body }) => ({
          ...body,
          ...(payoff_intent ? { payoff_intent } : {}),
        }));
      expect(posted).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});

test('Clients', async () => {
  const client = fc.record({
    client_id: fc.constantFrom('ada', '-ada', '_'),
    basis: hostileText,
    actor: fc.constantFrom('me', '-me'),
    created_at: fc.constant('2026-02-15T12:00:00.000000Z'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(client, context), { maxLength: 5 }), async (pairs) => {
      const clients = pairs.map(([each, value]) => ({ ...each, ...stated(value, 'context') }) as ExportedClient);
      const registered: unknown[] = [];
      const defaults = { actor: 'another', basis: 'another' };
      for await (const line of readClientLines(fileOf(clientColumns, clients), defaults)) {
        registered.push(isClientLine(line) ? { client_id: line.clientId, ...JSON.parse(line.body) } : line);
      }
      const expected = clients.map(({ created_at: _, ...body }) => body);
      expect(registered).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});
