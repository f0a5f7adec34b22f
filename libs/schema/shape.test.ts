import { expect, test } from '@jest/globals';
import { dayBody, suspensionBody } from '#libs/api/bodies/acts.ts';
import { companyProfileBody, simulationBody } from '#libs/api/bodies/clients.ts';
import { decisionBody, facilityBody, resolutionBody } from '#libs/api/bodies/credit.ts';
import { issuanceBody, previewBody } from '#libs/api/bodies/loans.ts';
import { configurationVersionBody } from '#libs/api/bodies/products.ts';
import { batchBody, receiptBody, reversalBody } from '#libs/api/bodies/receipts.ts';
import type { Schema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { readBody } from '#libs/schema/shape.ts';

type Change = { readonly [member: string]: Json | undefined };

const uuid = '0192f0c1-2345-7abc-8def-0123456789ab';
const account = { reference: 'a-1', actor: 'ana', basis: 'agreed by telephone' };
const receipt = {
  reference: 'r-1',
  client_id: 'c-1',
  amount: { minor_units: 12345, currency: 'MXN' },
  value_date: '2026-11-05',
};
const issuance = {
  client_id: 'c-1',
  configuration_id: 'ins-000001',
  configuration_version: 1,
  principal: { minor_units: 1_000_000, currency: 'MXN' },
  term_periods: 12,
  rate: '36',
  anchor: '2026-11-05',
  jurisdiction: 'MX',
  tax: { rate: '16', on: ['interest'] },
  reference: 'l-1',
};

/** The code and field of the refusal, or `taken`. A member changed to undefined is left out. */
function judged(form: Schema<unknown>, whole: object, change: Change): string {
  const body = JSON.parse(JSON.stringify({ ...whole, ...change }), (_, value) =>
    value === 'NaN' ? Number.NaN : value,
  );
  const result = readBody(form, body);
  return isRefusal(result) ? `${result.code} ${result.details?.field}` : 'taken';
}

test.each<[string, Change]>([
  ['taken', {}],
  ['taken', { designated_loan_id: uuid, payoff_intent: true, quote_id: uuid, rail: 'card', context: {} }],
  ['taken', { reference: 'ñ €'.repeat(32), provider_reference: 'SPEI 1' }],
  ['taken', { amount: { minor_units: Number.MAX_SAFE_INTEGER, currency: 'MXN' } }],
  ['unknown_field /amounts', { amounts: 1 }],
  ['unknown_field /a~1b~0', { 'a/b~': 1 }],
  ['unknown_field /amount/tax', { amount: { minor_units: 1, currency: 'MXN', tax: 0 }, reference: undefined }],
  ['unknown_field /x', { x: 1, reference: undefined, value_date: 'never' }],
  ['missing_field /reference', { reference: undefined, client_id: undefined, value_date: 'never' }],
  ['missing_field /amount/currency', { amount: { minor_units: 0 }, value_date: 'never' }],
  ['missing_field /client_id', { client_id: undefined, amount: { minor_units: 1 } }],
  ['invalid_field /reference', { reference: null }],
  ['invalid_field /reference', { reference: 7 }],
  ['invalid_identifier /reference', { reference: '' }],
  ['invalid_identifier /reference', { reference: ' r' }],
  ['invalid_identifier /reference', { reference: 'r ' }],
  ['invalid_identifier /reference', { reference: '..' }],
  ['invalid_identifier /reference', { reference: 'a\u00a0b' }],
  ['invalid_identifier /reference', { reference: 'a\u200db' }],
  ['invalid_identifier /reference', { reference: 'a\tb' }],
  ['invalid_identifier /reference', { reference: '😀'.repeat(129) }],
  ['taken', { reference: '😀'.repeat(128) }],
  ['invalid_identifier /client_id', { client_id: 'c 1' }],
  ['invalid_identifier /client_id', { client_id: 'c'.repeat(65) }],
  ['invalid_identifier /designated_loan_id', { designated_loan_id: 'loan-1' }],
  ['invalid_field /designated_loan_id', { designated_loan_id: null }],
  ['invalid_field /amount', { amount: 100 }],
  ['invalid_field /amount', { amount: [] }],
  ['invalid_field /amount/minor_units', { amount: { minor_units: 0, currency: 'MXN' } }],
  ['invalid_field /amount/minor_units', { amount: { minor_units: -1, currency: 'MXN' } }],
  ['invalid_field /amount/minor_units', { amount: { minor_units: 1.5, currency: 'MXN' } }],
  ['invalid_field /amount/minor_units', { amount: { minor_units: '1', currency: 'MXN' } }],
  ['invalid_field /amount/minor_units', { amount: { minor_units: 'NaN', currency: 'MXN' } }],
  ['amount_out_of_range /amount/minor_units', { amount: { minor_units: 2 ** 53, currency: 'MXN' } }],
  ['amount_out_of_range /amount/minor_units', { amount: { minor_units: -(2 ** 60), currency: 'mx' } }],
  ['invalid_field /amount/currency', { amount: { minor_units: 1, currency: 'mxn' } }],
  ['invalid_field /value_date', { value_date: '2026-02-30' }],
  ['invalid_field /value_date', { value_date: '1899-12-31' }],
  ['invalid_field /value_date', { value_date: '2026-11-05T00:00:00Z' }],
  ['invalid_field /payoff_intent', { payoff_intent: 'true' }],
  ['invalid_field /rail', { rail: 'cheque' }],
  ['invalid_field /context', { context: [] }],
  ['invalid_field /context', { context: null }],
  ['invalid_field /context', { context: { a: 'x'.repeat(16 * 1024) } }],
  ['taken', { context: { a: { b: { c: { d: { e: { f: { g: [] } } } } } } } }],
  ['invalid_field /context', { context: { a: { b: { c: { d: { e: { f: { g: [{}] } } } } } } } }],
  ['taken', { context: { a: 'x'.repeat(16 * 1024 - 8) } }],
  ['invalid_field /context', { context: { a: 'x'.repeat(16 * 1024 - 7) } }],
  ['invalid_field /context', { context: { a: 'é'.repeat(8 * 1024) } }],
])('a receipt is %s with %j', (verdict, change) => {
  expect(judged(receiptBody, receipt, change)).toBe(verdict);
});

test.each<[string, Change]>([
  ['taken', {}],
  ['missing_field /rate', { rate: undefined }],
  ['taken', { rate: undefined, facility_id: uuid }],
  ['missing_field /reference', { reference: undefined }],
  ['invalid_field /rate', { rate: '036' }],
  ['invalid_field /rate', { rate: '36.123456789' }],
  ['invalid_field /rate', { rate: 36 }],
  ['taken', { rate: '999999.99999999' }],
  ['invalid_field /term_periods', { term_periods: 0 }],
  ['invalid_field /term_periods', { term_periods: 1.5 }],
  ['invalid_field /tax/on/1', { tax: { rate: '16', on: ['interest', 'interest'] } }],
  ['invalid_field /tax/on/0', { tax: { rate: '16', on: ['principal'] } }],
  ['taken', { tax: { rate: '16', on: [] } }],
  ['missing_field /tax/on', { tax: { rate: '16' } }],
  ['unknown_field /tax/off', { tax: { rate: '16', on: [], off: [] } }],
  ['invalid_field /down_payment/minor_units', { down_payment: { minor_units: 0, currency: 'MXN' } }],
  ['taken', { schedule: { kind: 'anchored_monthly', day_of_month: 31, first_after_days: 5 } }],
  ['taken', { schedule: { kind: 'anchored_every_n_days', interval_days: 14 } }],
  ['missing_field /schedule/kind', { schedule: {} }],
  ['invalid_field /schedule/kind', { schedule: { kind: 'weekly' } }],
  ['missing_field /schedule/interval_days', { schedule: { kind: 'anchored_every_n_days' } }],
  [
    'invalid_field /schedule/day_of_month',
    { schedule: { kind: 'anchored_every_n_days', interval_days: 7, day_of_month: 3 } },
  ],
  ['invalid_field /schedule/first_after_days', { schedule: { kind: 'anchored_monthly', first_after_days: 3 } }],
  ['invalid_field /schedule/day_of_month', { schedule: { kind: 'anchored_monthly', day_of_month: 32 } }],
  ['invalid_field /hold_until', { hold_until: 20261105 }],
])('an issuance is %s with %j', (verdict, change) => {
  expect(judged(issuanceBody, issuance, change)).toBe(verdict);
});

test('a preview reads everything but the reference', () => {
  expect(judged(previewBody, issuance, { reference: { any: ['thing', null] } })).toBe('taken');
  expect(judged(previewBody, issuance, { reference: undefined })).toBe('taken');
  expect(judged(previewBody, issuance, { anchor: undefined })).toBe('missing_field /anchor');
});

test.each<[string, Schema<unknown>, object, Change]>([
  ['taken', dayBody, { on: '2026-11-05', ...account }, {}],
  ['unknown_field /amount', dayBody, { on: '2026-11-05', ...account }, { amount: 1 }],
  ['missing_field /basis', dayBody, { on: '2026-11-05', ...account }, { basis: undefined }],
  ['invalid_field /basis', dayBody, { on: '2026-11-05', ...account }, { basis: '' }],
  ['taken', dayBody, { on: '2026-11-05', ...account }, { basis: '😀'.repeat(2000) }],
  ['invalid_field /basis', dayBody, { on: '2026-11-05', ...account }, { basis: 'x'.repeat(2001) }],
  ['invalid_identifier /actor', dayBody, { on: '2026-11-05', ...account }, { actor: 'Ana María' }],
  ['missing_field /on', suspensionBody, account, {}],
  ['taken', reversalBody, { ...account, reason: 'a reason of our own' }, {}],
  ['unknown_field /on', reversalBody, { ...account, reason: 'other' }, { on: '2026-11-05' }],
  ['unknown_field /archetype', configurationVersionBody, { values: {} }, { archetype: 'bnpl' }],
  ['invalid_field /values', configurationVersionBody, { values: [] }, {}],
  ['invalid_field /receipts', batchBody, { receipts: [] }, {}],
  ['taken', batchBody, { receipts: [receipt, { no: 'receipt' }, 7] }, {}],
  ['invalid_field /receipts', batchBody, { receipts: Array.from({ length: 1001 }, () => receipt) }, {}],
  ['taken', resolutionBody, { ...account, outcome: 'approve' }, { rate: '36' }],
  [
    'taken',
    resolutionBody,
    { ...account, outcome: 'approve' },
    { rate: { numerator: 9, denominator: 25, quotation: 'nominal_annual' } },
  ],
  [
    'missing_field /rate/quotation',
    resolutionBody,
    { ...account, outcome: 'approve' },
    { rate: { numerator: 9, denominator: 25 } },
  ],
  ['taken', simulationBody, { on: '2026-11-05', facts: [{ act: 'receipt', body: receipt }] }, {}],
  ['invalid_field /facts/0/act', simulationBody, { on: '2026-11-05', facts: [{ act: 'pay', body: {} }] }, {}],
  ['taken', companyProfileBody, { legal_name: 'Prestamos SA' }, { vat_rate_bps: 'whatever it is' }],
])('%s: a body of another route', (verdict, form, whole, change) => {
  expect(judged(form, whole, change)).toBe(verdict);
});

const decision = {
  ...account,
  client_id: 'c-1',
  configuration_id: 'ins-000001',
  configuration_version: 1,
  principal: { minor_units: 100, currency: 'MXN' },
  submitted_on: '2026-11-05',
  attributes: { income: { state: 'known', number: '12000.50' }, 'a/b': { state: 'unknown' } },
  sources: ['bureau'],
};

test.each<[string, Change]>([
  ['taken', {}],
  ['taken', { attributes: {}, sources: [] }],
  ['invalid_field /attributes/income/number', { attributes: { income: { state: 'known', number: 1.5 } } }],
  ['invalid_field /attributes/a~1b/state', { attributes: { 'a/b': { state: 'guessed' } } }],
  ['missing_field /attributes/x/state', { attributes: { x: {} } }],
  ['unknown_field /attributes/x/y', { attributes: { x: { y: 1 } } }],
  ['invalid_field /sources', { sources: Array.from({ length: 51 }, () => 's') }],
])('an application is %s with %j', (verdict, change) => {
  expect(judged(decisionBody, decision, change)).toBe(verdict);
});

test('a facility that ends before it opens is refused at its last day', () => {
  const facility = {
    ...account,
    client_id: 'c-1',
    decision_id: uuid,
    amount: { minor_units: 1, currency: 'MXN' },
    opens_on: '2026-11-05',
    expires_on: '2026-11-04',
  };
  expect(judged(facilityBody, facility, {})).toBe('invalid_field /expires_on');
  expect(judged(facilityBody, facility, { expires_on: '2026-11-05' })).toBe('taken');
});

test('a body is echoed as it was stated: what was read is what was sent', () => {
  const result = readBody(receiptBody, receipt);
  expect('body' in result && result.body).toBe(receipt);
});

test('where a body keeps data of the caller, its numbers are left alone', () => {
  expect(receiptBody.numbersKeptAsText).toEqual([['context']]);
  expect(batchBody.numbersKeptAsText).toEqual([['receipts', '*', 'context']]);
  expect(simulationBody.numbersKeptAsText).toEqual([['facts', '*', 'body', 'context']]);
});

test.each<[string, Json, Json | undefined]>([
  ['a value of a wrong form', 'tomorrow', 'tomorrow'],
  ['one of a wrong type', { day: 1 }, { day: 1 }],
  ['one that is longer than a refusal should be', 'x'.repeat(500), undefined],
])('%s is told back', (_, value_date, observed) => {
  const read = readBody(receiptBody, { ...receipt, value_date });
  expect(read).toMatchObject({ code: 'invalid_field', details: { field: '/value_date' } });
  expect(isRefusal(read) && read.details?.observed).toEqual(observed);
});
