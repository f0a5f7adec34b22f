import { expect, test } from '@jest/globals';
import type { Route } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import { applicationBody } from '#libs/credit/application.ts';
import { facilityBody } from '#libs/credit/facility.ts';
import { resolutionBody } from '#libs/credit/resolution.ts';
import { dayOnlyBody } from '#libs/ledger/act.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { loanOperations } from '#libs/ledger/client/acts.ts';
import { creditOperations } from '#libs/ledger/client/credit-operations.ts';
import { issuanceOperations } from '#libs/ledger/client/issuance.ts';
import { receiptOperations } from '#libs/ledger/client/receipts.ts';
import {
  batchBody,
  issuanceBody,
  previewBody,
  receiptBody,
  reversalBody,
  simulationBody,
} from '#libs/ledger/request-bodies.ts';
import { configurationVersionBody } from '#libs/product/configurations.ts';
import type { Json } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { parse, type Schema } from '#libs/schema/schema.ts';
import { companyProfileActs, companyProfileBody } from '#libs/tenant/company-profile.ts';
import { configurationActs, lookupKeyActs } from '#libs/tenant/configuration-acts.ts';
import { policyActs } from '#libs/tenant/policy-acts.ts';

test.each(
  Object.entries({
    ...issuanceOperations,
    ...receiptOperations,
    ...creditOperations,
    ...loanOperations(manifest),
    ...configurationActs,
    ...policyActs,
    ...companyProfileActs,
    pointLookupKey: lookupKeyActs.pointLookupKey,
  }),
)('the route %s checks its body against the schema that its decision expects', (operation, { body }) => {
  expect(new Map<string, Route>(Object.entries(routes)).get(operation)?.body?.jsonSchema).toBe(body.jsonSchema);
});

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

/** The code and field of the refusal, or `accepted`. A member changed to undefined is left out. */
function resultOf(schema: Schema<unknown>, valid: object, change: Change): string {
  const body = JSON.parse(JSON.stringify({ ...valid, ...change }), (_, value) =>
    value === 'NaN' ? Number.NaN : value,
  );
  const result = parse(schema, body);
  return isRefusal(result) ? `${result.code} ${result.details?.field}` : 'accepted';
}

test.each<[string, Change]>([
  ['accepted', {}],
  ['accepted', { designated_loan_id: uuid, payoff_intent: true, quote_id: uuid, rail: 'card', context: {} }],
  ['accepted', { reference: 'ñ €'.repeat(32), provider_reference: 'SPEI 1' }],
  ['accepted', { amount: { minor_units: Number.MAX_SAFE_INTEGER, currency: 'MXN' } }],
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
  ['accepted', { reference: '😀'.repeat(128) }],
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
  ['accepted', { context: { a: { b: { c: { d: { e: { f: { g: [] } } } } } } } }],
  ['invalid_field /context', { context: { a: { b: { c: { d: { e: { f: { g: [{}] } } } } } } } }],
  ['accepted', { context: { a: 'x'.repeat(16 * 1024 - 8) } }],
  ['invalid_field /context', { context: { a: 'x'.repeat(16 * 1024 - 7) } }],
  ['invalid_field /context', { context: { a: 'é'.repeat(8 * 1024) } }],
])('a Receipt is %s with %j', (expected, change) => {
  expect(resultOf(receiptBody, receipt, change)).toBe(expected);
});

test.each<[string, Change]>([
  ['accepted', {}],
  ['missing_field /rate', { rate: undefined }],
  ['accepted', { rate: undefined, facility_id: uuid }],
  ['missing_field /reference', { reference: undefined }],
  ['invalid_field /rate', { rate: '036' }],
  ['invalid_field /rate', { rate: '36.123456789' }],
  ['invalid_field /rate', { rate: 36 }],
  ['accepted', { rate: '999999.99999999' }],
  ['invalid_field /term_periods', { term_periods: 0 }],
  ['invalid_field /term_periods', { term_periods: 1.5 }],
  ['invalid_field /tax/on/1', { tax: { rate: '16', on: ['interest', 'interest'] } }],
  ['invalid_field /tax/on/0', { tax: { rate: '16', on: ['principal'] } }],
  ['accepted', { tax: { rate: '16', on: [] } }],
  ['missing_field /tax/on', { tax: { rate: '16' } }],
  ['unknown_field /tax/off', { tax: { rate: '16', on: [], off: [] } }],
  ['invalid_field /down_payment/minor_units', { down_payment: { minor_units: 0, currency: 'MXN' } }],
  ['accepted', { schedule: { kind: 'anchored_monthly', day_of_month: 31, first_after_days: 5 } }],
  ['accepted', { schedule: { kind: 'anchored_every_n_days', interval_days: 14 } }],
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
])('an issuance is %s with %j', (expected, change) => {
  expect(resultOf(issuanceBody, issuance, change)).toBe(expected);
});

test('a preview ignores the reference and checks everything else', () => {
  expect(resultOf(previewBody, issuance, { reference: { any: ['thing', null] } })).toBe('accepted');
  expect(resultOf(previewBody, issuance, { reference: undefined })).toBe('accepted');
  expect(resultOf(previewBody, issuance, { anchor: undefined })).toBe('missing_field /anchor');
});

test.each<[string, Schema<unknown>, object, Change]>([
  ['accepted', dayOnlyBody, { on: '2026-11-05', ...account }, {}],
  ['unknown_field /amount', dayOnlyBody, { on: '2026-11-05', ...account }, { amount: 1 }],
  ['missing_field /basis', dayOnlyBody, { on: '2026-11-05', ...account }, { basis: undefined }],
  ['invalid_field /basis', dayOnlyBody, { on: '2026-11-05', ...account }, { basis: '' }],
  ['accepted', dayOnlyBody, { on: '2026-11-05', ...account }, { basis: '😀'.repeat(2000) }],
  ['invalid_field /basis', dayOnlyBody, { on: '2026-11-05', ...account }, { basis: 'x'.repeat(2001) }],
  ['invalid_identifier /actor', dayOnlyBody, { on: '2026-11-05', ...account }, { actor: 'Ana María' }],
  ['missing_field /on', suspension.requestBody, account, {}],
  ['accepted', reversalBody, { ...account, reason: 'a reason of our own' }, {}],
  ['unknown_field /on', reversalBody, { ...account, reason: 'other' }, { on: '2026-11-05' }],
  ['unknown_field /archetype', configurationVersionBody, { values: {} }, { archetype: 'bnpl' }],
  ['invalid_field /values', configurationVersionBody, { values: [] }, {}],
  ['invalid_field /receipts', batchBody, { receipts: [] }, {}],
  ['accepted', batchBody, { receipts: [receipt, { no: 'receipt' }, 7] }, {}],
  ['invalid_field /receipts', batchBody, { receipts: Array.from({ length: 1001 }, () => receipt) }, {}],
  ['accepted', resolutionBody, { ...account, outcome: 'approve' }, { rate: '36' }],
  [
    'accepted',
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
  [
    'invalid_field /rate/numerator',
    resolutionBody,
    { ...account, outcome: 'approve' },
    { rate: { numerator: 0, denominator: 25, quotation: 'nominal_annual' } },
  ],
  [
    'invalid_field /principal_max/minor_units',
    resolutionBody,
    { ...account, outcome: 'approve' },
    { rate: '36', principal_max: { minor_units: 0, currency: 'MXN' } },
  ],
  ['invalid_field /moratorium_days', resolutionBody, { ...account, outcome: 'refuse' }, { moratorium_days: 0.5 }],
  ['accepted', simulationBody, { on: '2026-11-05', facts: [{ act: 'receipt', body: receipt }] }, {}],
  [
    'accepted',
    simulationBody,
    { on: '2026-11-05', facts: [{ act: 'write-off', loan_reference: 'loan-1', body: {} }] },
    {},
  ],
  [
    'accepted',
    simulationBody,
    { on: '2026-11-05', facts: [{ act: 'receipt', designated_loan_reference: 'loan-1', body: receipt }] },
    {},
  ],
  [
    'invalid_field /facts/0/loan_reference',
    simulationBody,
    { on: '2026-11-05', facts: [{ act: 'write-off', loan_reference: 7, body: {} }] },
    {},
  ],
  ['invalid_field /facts/0/act', simulationBody, { on: '2026-11-05', facts: [{ act: 'pay', body: {} }] }, {}],
  ['accepted', companyProfileBody, { legal_name: 'Prestamos SA' }, { vat_rate_bps: 'whatever it is' }],
])('%s: other bodies', (expected, schema, valid, change) => {
  expect(resultOf(schema, valid, change)).toBe(expected);
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
  ['accepted', {}],
  ['accepted', { attributes: {}, sources: [] }],
  ['invalid_field /attributes/income/number', { attributes: { income: { state: 'known', number: 1.5 } } }],
  ['invalid_field /attributes/a~1b/state', { attributes: { 'a/b': { state: 'guessed' } } }],
  ['missing_field /attributes/x/state', { attributes: { x: {} } }],
  ['unknown_field /attributes/x/y', { attributes: { x: { y: 1 } } }],
  ['invalid_field /sources', { sources: Array.from({ length: 51 }, () => 's') }],
  ['accepted', { sources: Array.from({ length: 50 }, () => 's') }],
  ['invalid_field /sources/1', { sources: ['bureau', 7] }],
  ['invalid_field /attributes/age', { attributes: { age: 34 } }],
  ['invalid_field /attributes/age/as_of', { attributes: { age: { state: 'known', number: 34, as_of: '2026-02-30' } } }],
  ['missing_field /policy_version', { policy: 'retail' }],
  ['missing_field /policy', { policy_version: 1 }],
])('an application is %s with %j', (expected, change) => {
  expect(resultOf(applicationBody, decision, change)).toBe(expected);
});

test('a facility that expires before it opens is refused at expires_on', () => {
  const facility = {
    ...account,
    client_id: 'c-1',
    decision_id: uuid,
    amount: { minor_units: 1, currency: 'MXN' },
    opens_on: '2026-11-05',
    expires_on: '2026-11-04',
  };
  expect(resultOf(facilityBody, facility, {})).toBe('invalid_field /expires_on');
  expect(resultOf(facilityBody, facility, { expires_on: '2026-11-05' })).toBe('accepted');
});

test('parsing returns the body itself', () => {
  const result = parse(receiptBody, receipt);
  expect(result).toBe(receipt);
});

test('numbers in context may be inexact', () => {
  expect(receiptBody.inexactNumberPaths).toEqual([['context']]);
  expect(batchBody.inexactNumberPaths).toEqual([['receipts', '*', 'context']]);
  expect(simulationBody.inexactNumberPaths).toEqual([['facts', '*', 'body', 'context']]);
});

test.each<[string, Json, Json | undefined]>([
  ['an invalid value', 'tomorrow', 'tomorrow'],
  ['a value of a wrong type', { day: 1 }, { day: 1 }],
  ['a value that is too long', 'x'.repeat(500), undefined],
])('%s in a refusal: details.observed', (_, value_date, observed) => {
  const refusal = parse(receiptBody, { ...receipt, value_date });
  expect(refusal).toMatchObject({ code: 'invalid_field', details: { field: '/value_date' } });
  expect(isRefusal(refusal) && refusal.details?.observed).toEqual(observed);
});
