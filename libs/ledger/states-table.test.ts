import { describe, expect, test } from '@jest/globals';
import {
  accelerated,
  cancelled,
  ceded,
  confirmed,
  given,
  issued,
  received,
  rescinded,
  restructured,
  retracted,
  returned,
  rolledOver,
  settledForLess,
  suspended,
  suspensionEnded,
  type Telling,
  voided,
  waived,
  withdrawn,
  writtenOff,
} from '#libs/ledger/testing/scenario.ts';

const ON = '2026-03-10';
const held = issued({ holdUntil: '2026-01-20' });
const free = issued({ product: { withdrawalDays: 90 } });

const STATES: { readonly [state: string]: readonly Telling[] } = {
  active: [free],
  restructured: [free, restructured('2026-02-01', { termPeriods: 3, rate: '12' })],
  closed: [free, received('2026-01-31', 2_000_00n)],
  written_off: [free, writtenOff('2026-03-01', { event: 'off' })],
  ceded: [free, ceded('2026-03-01', { event: 'sold' })],
  held: [held],
  voided: [held, voided('2026-01-10', { event: 'void' })],
  cancelled: [free, cancelled('2026-01-10', { event: 'cancel' })],
  rescinded: [free, rescinded('2026-03-01', { event: 'undo' })],
  withdrawn: [free, withdrawn('2026-03-01', { event: 'undo' })],
};

const ACTS: { readonly [column: string]: readonly Telling[] } = {
  'write-off': [writtenOff(ON)],
  cession: [ceded(ON)],
  return: [returned(ON, 1_00n)],
  waiver: [waived(ON, { period: 1, charge: 'interest', amount: 1n })],
  settlement: [settledForLess(ON, 1_00n)],
  course: [
    suspended(ON, ON),
    suspensionEnded(ON),
    accelerated(ON),
    rolledOver(ON),
    restructured(ON, { termPeriods: 3, rate: '12' }),
  ],
  cancel: [cancelled(ON)],
  'rescind, withdraw': [rescinded(ON), withdrawn(ON)],
  'confirm, void': [confirmed(ON), voided(ON)],
};

/** The document's table, row by row in the order of ACTS; what is admitted there is left to each act's own rule. */
const TABLE: { readonly [state: string]: readonly string[] } = {
  active: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'not_held'],
  restructured: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'not_held'],
  closed: [
    'loan_closed',
    'loan_closed',
    'ok',
    'loan_closed',
    'loan_closed',
    'loan_closed',
    'loan_has_receipts',
    'ok',
    'not_held',
  ],
  written_off: [
    'already_written_off',
    'ok',
    'already_written_off',
    'ok',
    'ok',
    'already_written_off',
    'already_written_off',
    'already_written_off',
    'not_held',
  ],
  ceded: ['cession_in_force', 'already_ceded', ...Array.from({ length: 7 }, () => 'cession_in_force')],
  held: [...Array.from({ length: 8 }, () => 'loan_held'), 'ok'],
  voided: Array.from({ length: 9 }, () => 'loan_voided'),
  cancelled: ['loan_cancelled', 'invalid_event', ...Array.from({ length: 7 }, () => 'loan_cancelled')],
  rescinded: Array.from({ length: 9 }, () => 'loan_undone'),
  withdrawn: Array.from({ length: 9 }, () => 'loan_undone'),
};

const BY_STATE = [
  'loan_closed',
  'loan_has_receipts',
  'not_held',
  'already_written_off',
  'cession_in_force',
  'already_ceded',
  'loan_held',
  'loan_voided',
  'loan_cancelled',
  'loan_undone',
];

describe.each(Object.keys(STATES))('a Loan that is %s', (state) => {
  const loan = () => given(...(STATES[state] ?? []));

  test('is in that state', () => expect(loan().state()).toBe(state));

  test.each(Object.keys(ACTS))('answers %s as the table of states says', (column) => {
    const expected = TABLE[state]?.[Object.keys(ACTS).indexOf(column)];
    for (const act of ACTS[column] ?? []) {
      const { refused } = loan().when(act);
      if (expected === 'ok') expect(BY_STATE).not.toContain(refused);
      else expect(refused).toBe(expected);
    }
  });
});

test('some states admit retracting nothing but the act that made them', () => {
  const retract = (state: string, target: string) =>
    given(...(STATES[state] ?? [])).when(retracted(ON, target)).refused;
  expect([
    retract('ceded', 'sold'),
    retract('voided', 'void'),
    retract('cancelled', 'cancel'),
    retract('rescinded', 'undo'),
    retract('withdrawn', 'undo'),
    retract('written_off', 'off'),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
  const early = suspended('2026-01-05', '2026-01-06', { event: 'early' });
  const after = (...facts: Telling[]) => given(free, early, ...facts).when(retracted(ON, 'early')).refused;
  expect(after(ceded('2026-03-01'))).toBe('cession_in_force');
  expect(after(cancelled('2026-03-01'))).toBe('loan_cancelled');
  expect(after(rescinded('2026-03-01'))).toBe('loan_undone');
  expect(after(withdrawn('2026-03-01'))).toBe('loan_undone');
  expect(after(writtenOff('2026-03-01'))).toBeUndefined();
  expect(after(received('2026-01-31', 2_000_00n))).toBeUndefined();
});
