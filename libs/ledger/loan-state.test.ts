import { describe, expect, test } from '@jest/globals';
import { type ActKind, acts } from '#libs/ledger/acts/manifest.ts';
import { LOAN_STATES, type LoanState, statesTable } from '#libs/ledger/loan-state.ts';
import {
  accelerated,
  cancelled,
  ceded,
  confirmed,
  type FactBuilder,
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
  voided,
  waived,
  withdrawn,
  writtenOff,
} from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

const ON = '2026-03-10';
const held = issued({ holdUntil: '2026-01-20' });
const loan = issued({ product: { withdrawalDays: 90 } });

const FACTS_OF_STATE: { readonly [state in LoanState]: readonly FactBuilder[] } = {
  active: [loan],
  restructured: [loan, restructured('2026-02-01', { termPeriods: 3, rate: '12' })],
  closed: [loan, received('2026-01-31', 2_000_00n)],
  written_off: [loan, writtenOff('2026-03-01', { event: 'off' })],
  ceded: [loan, ceded('2026-03-01', { event: 'sold' })],
  held: [held],
  voided: [held, voided('2026-01-10', { event: 'void' })],
  cancelled: [loan, cancelled('2026-01-10', { event: 'cancel' })],
  rescinded: [loan, rescinded('2026-03-01', { event: 'undo' })],
  withdrawn: [loan, withdrawn('2026-03-01', { event: 'undo' })],
};

/** The acts of the specification's table. An act that is added tests its states in its own test. */
const ACTS: { readonly [kind in ActKind]?: FactBuilder } = {
  written_off: writtenOff(ON),
  ceded: ceded(ON),
  returned: returned(ON, 1_00n),
  waived: waived(ON, { period: 1, charge: 'interest', amount: 1n }),
  settled_for_less: settledForLess(ON, 1_00n),
  suspended: suspended(ON, ON),
  suspension_ended: suspensionEnded(ON),
  accelerated: accelerated(ON),
  rolled_over: rolledOver(ON),
  restructured: restructured(ON, { termPeriods: 3, rate: '12' }),
  cancelled: cancelled(ON),
  rescinded: rescinded(ON),
  withdrawn: withdrawn(ON),
  confirmed: confirmed(ON),
  voided: voided(ON),
};

type Row = { readonly [kind in ActKind]?: 'ok' | RefusalCode } & { readonly others: 'ok' | RefusalCode };

/** The table of the specification. What a state admits may still be refused by the act's own rule. */
const TABLE: { readonly [state in LoanState]: Row } = {
  active: { confirmed: 'not_held', voided: 'not_held', others: 'ok' },
  restructured: { confirmed: 'not_held', voided: 'not_held', others: 'ok' },
  closed: {
    confirmed: 'not_held',
    voided: 'not_held',
    returned: 'ok',
    rescinded: 'ok',
    withdrawn: 'ok',
    cancelled: 'loan_has_receipts',
    others: 'loan_closed',
  },
  written_off: {
    confirmed: 'not_held',
    voided: 'not_held',
    ceded: 'ok',
    waived: 'ok',
    settled_for_less: 'ok',
    others: 'already_written_off',
  },
  ceded: { ceded: 'already_ceded', others: 'cession_in_force' },
  held: { confirmed: 'ok', voided: 'ok', others: 'loan_held' },
  voided: { others: 'loan_voided' },
  cancelled: { ceded: 'invalid_event', others: 'loan_cancelled' },
  rescinded: { others: 'loan_undone' },
  withdrawn: { others: 'loan_undone' },
};

const STATE_CODES: readonly RefusalCode[] = [
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

describe.each(LOAN_STATES)('a Loan that is %s', (state) => {
  const scenario = given(...FACTS_OF_STATE[state]);

  test('is in that state', () => expect(scenario.state()).toBe(state));

  test.each(Object.entries(ACTS))('answers an act of the kind %s as the table says', (kind, act) => {
    const expected = TABLE[state][kind as ActKind] ?? TABLE[state].others;
    const { refusal } = scenario.when(act);
    if (expected === 'ok') expect(STATE_CODES).not.toContain(refusal?.code);
    else expect(refusal?.code).toBe(expected);
  });
});

test('the table is derived from what each act declares', () => {
  const specified = acts.filter(({ kind }) => ACTS[kind] !== undefined);
  const expected = specified.map(({ kind }) => ({
    kind,
    cells: LOAN_STATES.map((state) => ({ state, answer: TABLE[state][kind] ?? TABLE[state].others })),
  }));
  expect(specified).toHaveLength(15);
  expect(statesTable(specified)).toEqual(expected);
});

test.each([
  ['ceded', 'sold'],
  ['voided', 'void'],
  ['cancelled', 'cancel'],
  ['rescinded', 'undo'],
  ['withdrawn', 'undo'],
  ['written_off', 'off'],
] as const)('the act that made a Loan %s can be retracted', (state, event) => {
  expect(given(...FACTS_OF_STATE[state]).when(retracted(ON, event))).toBeAdmitted();
});

test('a final state admits retracting only the act that led to it', () => {
  const afterRetraction = (...facts: FactBuilder[]) =>
    given(loan, suspended('2026-01-05', '2026-01-06', { event: 'early' }), ...facts).when(retracted(ON, 'early'));
  expect(afterRetraction(ceded('2026-03-01'))).toBeRefused('cession_in_force');
  expect(afterRetraction(cancelled('2026-03-01'))).toBeRefused('loan_cancelled');
  expect(afterRetraction(rescinded('2026-03-01'))).toBeRefused('loan_undone');
  expect(afterRetraction(withdrawn('2026-03-01'))).toBeRefused('loan_undone');
  expect(afterRetraction(writtenOff('2026-03-01'))).toBeAdmitted();
  expect(afterRetraction(received('2026-01-31', 2_000_00n))).toBeAdmitted();
});
