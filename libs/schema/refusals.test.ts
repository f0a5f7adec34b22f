import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { catalogue, codesWithBound, isRefusal, isRefusalCode, refuse } from '#libs/schema/refusals.ts';

const never = [
  'already_written_off',
  'already_ceded',
  'already_retracted',
  'already_reversed',
  'already_resolved',
  'already_published',
  'loan_closed',
  'loan_voided',
  'loan_cancelled',
  'loan_undone',
  'hold_expired',
  'withdrawal_window_closed',
  'withdrawal_not_provided',
  'return_not_provided',
  'rollover_not_provided',
  'rollovers_exhausted',
  'acceleration_forbidden',
  'not_retractable',
  'not_referred',
];
const afterRecord = [
  'unknown_client',
  'no_configuration',
  'no_receipt',
  'not_found',
  'no_quote',
  'no_policy',
  'unknown_loan',
  'client_barred',
  'client_open_loans',
  'client_exposure',
  'client_overdue',
  'loan_held',
  'loan_has_receipts',
  'rollover_unpaid',
  'acceleration_unearned',
  'already_suspended',
  'fact_depended_on',
  'cession_in_force',
  'facility_exhausted',
  'facility_superseded',
];
const asIs = ['contended', 'unavailable', 'too_many_concurrent', 'rate_exceeded', 'internal_error'];

test('every code has the retry value of the contract', () => {
  const of = (retry: string): string[] =>
    Object.entries(catalogue)
      .filter(([, row]) => row.retry === retry)
      .map(([code]) => code)
      .sort();
  expect(of('never')).toEqual([...never].sort());
  expect(of('after_record')).toEqual([...afterRecord].sort());
  expect(of('as_is')).toEqual([...asIs].sort());
});

// Rows are only added to this file: callers rely on every published code.
const publishedCodes = JSON.parse(
  readFileSync(new URL('../../test/vectors/refusal-codes.json', import.meta.url), 'utf8'),
) as { readonly [code: string]: { readonly status: number; readonly retry: string } };

test('a published code keeps its name, its status and its retry value', () => {
  expect(catalogue).toMatchObject(publishedCodes);
  const unpublished = Object.keys(catalogue).filter((code) => !Object.hasOwn(publishedCodes, code));
  expect(unpublished).toEqual([]);
});

test('only internal_error and unavailable have a status of 500 or above', () => {
  const codes = Object.entries(catalogue)
    .filter(([, row]) => row.status >= 500)
    .map(([code]) => code);
  expect(codes).toEqual(['internal_error', 'unavailable']);
});

test('a refusal is a value with code, status, retry and details', () => {
  expect(refuse('return_exceeds_principal', { bound: 100, observed: 120 })).toEqual({
    refused: true,
    code: 'return_exceeds_principal',
    status: 409,
    retry: 'after_change',
    details: { bound: 100, observed: 120 },
  });
  expect(refuse('unavailable').retryAfter).toBe(5);
  expect(refuse('rate_exceeded', { bound: 50 }, 1).retryAfter).toBe(1);
  expect(isRefusal(refuse('contended'))).toBe(true);
  expect(isRefusal({ code: 'contended' })).toBe(false);
});

/** Each is about one thing that is missing, recorded already or final: there is nothing to choose from. */
const withoutChoice = [
  ...['not_found', 'no_receipt', 'no_configuration', 'no_quote', 'unknown_client', 'unknown_loan', 'no_policy'],
  ...['loan_has_receipts', 'client_overdue'],
  ...['return_not_provided', 'withdrawal_not_provided', 'rollover_not_provided', 'not_retractable'],
  ...['missing_field', 'payoff_needs_designation', 'outside_loan', 'idempotency_mismatch'],
  ...['plan_not_amortising', 'figure_out_of_range'],
  // Of several members of one object that are unknown, the first one names the known ones.
  'unknown_field',
];

test('a refusal that may name a bound always names it, unless there is nothing to choose from', () => {
  const mayNameBound = Object.entries(catalogue)
    .filter(([, { details }]) => (details as readonly string[]).includes('bound'))
    .map(([code]) => code);
  expect([...codesWithBound, ...withoutChoice].sort()).toEqual(mayNameBound.sort());
});

test('a refusal with a bound does not compile without it', () => {
  // @ts-expect-error the terms that are offered are missing
  expect(refuse('term_not_offered', { field: '/term_periods', observed: 5 }).code).toBe('term_not_offered');
  // @ts-expect-error no details at all
  expect(refuse('loan_closed').code).toBe('loan_closed');
});

test('a code outside the catalogue does not compile', () => {
  // @ts-expect-error unknown code
  expect(() => refuse('no_such_code')).toThrow();
  // @ts-expect-error a detail that the code does not have
  expect(refuse('unauthenticated', { field: 'fp' }).code).toBe('unauthenticated');
  expect(isRefusalCode('no_such_code')).toBe(false);
  expect(isRefusalCode('toString')).toBe(false);
});
