import { expect, test } from '@jest/globals';
import { anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import {
  ceded,
  issued,
  received,
  retracted,
  returned,
  reversed,
  settledForLess,
  suspended,
  suspensionEnded,
  waived,
  writtenOff,
} from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';

/** The anomalies of the Loan: each kind with the names of its facts. */
const anomalies = (scenario: Scenario) =>
  anomaliesOf(scenario.book, scenario.loan()).map(({ kind, facts }) => [
    kind,
    ...facts.map(({ type, id }) => `${type} ${id}`),
  ]);

test('an act dated before the anchor of its Loan is refused', () => {
  expect(given(issued()).when(suspended('2025-12-31', '2026-01-05'))).toBeRefused('invalid_event', {
    bound: '2026-01-01',
    observed: '2025-12-31',
  });
  expect(given(issued()).when(suspended('2026-01-01', '2026-01-05'))).toBeAdmitted();
});

test('an issuance cannot be retracted, and an act only once', () => {
  const loan = given(issued(), suspended('2026-01-10', '2026-01-12'));
  expect(loan.when(retracted('2026-01-12', 'L'))).toBeRefused('not_retractable');
  expect(loan.when(retracted('2026-01-12', 'nothing')).refusal).toMatchObject({ code: 'not_found', status: 404 });
  expect(loan.when(retracted('2025-12-31', 'suspended'))).toBeRefused('invalid_event');
  const retractedOnce = loan.when(retracted('2026-01-12', 'suspended'));
  expect(retractedOnce).toBeAdmitted();
  expect(retractedOnce.when(retracted('2026-01-12', 'suspended'))).toBeRefused('already_retracted');
});

test('a suspension that was ended early is retracted only after its early end', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'), suspensionEnded('2026-02-06'));
  expect(loan.when(retracted('2026-02-20', 'suspended'))).toBeRefused('fact_depended_on');
  const reopened = loan.when(retracted('2026-02-20', 'suspension_ended'));
  expect(reopened.when(retracted('2026-02-20', 'suspended'))).toBeAdmitted();
});

test('a retracted act has no effect on any day', () => {
  const loan = given(issued());
  const after = loan.when(returned('2026-01-16', 300_00n)).when(retracted('2026-02-01', 'returned'));
  for (const on of ['2026-01-20', '2026-02-10', '2026-04-10']) expect(after.owes(on)).toEqual(loan.owes(on));
});

test('only a reported Receipt can be reversed, and only once', () => {
  const loan = given(issued(), received('2026-01-31', 310_44n, { reference: 'r' }));
  expect(loan.when(reversed('other'))).toBeRefused('no_receipt');
  const after = loan.when(reversed('r'));
  expect(after.owes('2026-01-31')).toEqual(given(issued()).owes('2026-01-31'));
  expect(after.when(reversed('r'))).toBeRefused('already_reversed', { recorded_id: 'v-r' });
});

test('an act whose rule fails because of a later report is an anomaly that names the report', () => {
  const loan = given(issued(), waived('2026-02-05', { period: 1, charge: 'interest', amount: 900n }));
  const after = loan.when(received('2026-01-31', 310_44n, { reference: 'late' }));
  expect(anomalies(after)).toEqual([['waiver_exceeds_charge', 'event waived', 'receipt late']]);
  // Without the fact that caused it there is no anomaly.
  expect(anomalies(after.when(reversed('late')))).toEqual([]);
});

test('an anomaly keeps naming the fact that caused it first', () => {
  const after = given(
    issued(),
    waived('2026-02-05', { period: 1, charge: 'interest', amount: 900n }),
    received('2026-01-31', 310_44n, { reference: 'late' }),
    received('2026-01-30', 1n, { reference: 'later' }),
  );
  expect(anomalies(after)).toEqual([['waiver_exceeds_charge', 'event waived', 'receipt late']]);
});

test('an act on a Loan that a late report closed has no effect and is an anomaly', () => {
  const loan = given(issued(), settledForLess('2026-02-05', 100_00n));
  const after = loan.when(received('2026-01-31', 2_000_00n, { reference: 'all' }));
  expect(anomalies(after)).toEqual([['loan_closed', 'event settled_for_less', 'receipt all']]);
});

test('a reversal after a write-off or a cession is an anomaly of the Loan; the cession is named first', () => {
  const paid = given(issued(), received('2026-01-31', 310_44n, { reference: 'r' }));
  expect(anomalies(paid.when(writtenOff('2026-02-05')).when(reversed('r')))).toEqual([
    ['reversal_after_write_off', 'event written_off', 'reversal v-r'],
  ]);
  const both = paid.when(writtenOff('2026-02-05')).when(ceded('2026-02-06'));
  expect(anomalies(both.when(reversed('r')))).toEqual([['reversal_after_cession', 'event ceded', 'reversal v-r']]);
  expect(anomalies(paid.when(reversed('r')).when(writtenOff('2026-02-05')))).toEqual([]);
});
