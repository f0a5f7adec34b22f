import { expect, test } from '@jest/globals';
import { anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import {
  ceded,
  given,
  issued,
  received,
  retracted,
  returned,
  reversed,
  settledForLess,
  suspended,
  suspensionEnded,
  type Told,
  waived,
  writtenOff,
} from '#libs/ledger/testing/scenario.ts';

/** Every anomaly of the Loan: its kind, and the ids of its facts. */
const anomalies = (told: Told) =>
  anomaliesOf(told.book, told.loan()).map(({ kind, facts }) => [kind, ...facts.map(({ type, id }) => `${type} ${id}`)]);

test('an act is dated on the anchor or later', () => {
  expect(given(issued()).when(suspended('2025-12-31', '2026-01-05')).refusal).toMatchObject({
    code: 'invalid_event',
    details: { bound: '2026-01-01', observed: '2025-12-31' },
  });
  expect(given(issued()).when(suspended('2026-01-01', '2026-01-05')).refused).toBeUndefined();
});

test('an issuance is never retracted, an act once, and only one that is there', () => {
  const loan = given(issued(), suspended('2026-01-10', '2026-01-12'));
  expect(loan.when(retracted('2026-01-12', 'L')).refused).toBe('not_retractable');
  expect(loan.when(retracted('2026-01-12', 'nothing')).refusal).toMatchObject({ code: 'not_found', status: 404 });
  expect(loan.when(retracted('2025-12-31', 'suspended')).refused).toBe('invalid_event');
  const once = loan.when(retracted('2026-01-12', 'suspended'));
  expect(once.refused).toBeUndefined();
  expect(once.when(retracted('2026-01-12', 'suspended')).refused).toBe('already_retracted');
});

test('a suspension is retracted only after its early end is', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'), suspensionEnded('2026-02-06'));
  expect(loan.when(retracted('2026-02-20', 'suspended')).refused).toBe('fact_depended_on');
  const reopened = loan.when(retracted('2026-02-20', 'suspension_ended'));
  expect(reopened.when(retracted('2026-02-20', 'suspended')).refused).toBeUndefined();
});

test('a retracted act contributes to nothing, on any day', () => {
  const loan = given(issued());
  const after = loan.when(returned('2026-01-16', 300_00n)).when(retracted('2026-02-01', 'returned'));
  for (const on of ['2026-01-20', '2026-02-10', '2026-04-10']) expect(after.owes(on)).toEqual(loan.owes(on));
});

test('a Receipt is reversed once, and only one that was reported', () => {
  const loan = given(issued(), received('2026-01-31', 310_44n, { reference: 'r' }));
  expect(loan.when(reversed('other')).refused).toBe('no_receipt');
  const after = loan.when(reversed('r'));
  expect(after.owes('2026-01-31')).toEqual(given(issued()).owes('2026-01-31'));
  expect(after.when(reversed('r')).refusal).toMatchObject({
    code: 'already_reversed',
    details: { recorded_id: 'v-r' },
  });
});

test('a fact that stands but no longer fits is named with the fact that made it so', () => {
  const loan = given(issued(), waived('2026-02-05', { period: 1, charge: 'interest', amount: 900n }));
  const after = loan.when(received('2026-01-31', 310_44n, { reference: 'late' }));
  expect(anomalies(after)).toEqual([['waiver_exceeds_charge', 'event waived', 'receipt late']]);
  // What made it so is gone again, and so is the anomaly.
  expect(anomalies(after.when(reversed('late')))).toEqual([]);
});

test('the first fact that made it so stays named while it goes on', () => {
  const after = given(
    issued(),
    waived('2026-02-05', { period: 1, charge: 'interest', amount: 900n }),
    received('2026-01-31', 310_44n, { reference: 'late' }),
    received('2026-01-30', 1n, { reference: 'later' }),
  );
  expect(anomalies(after)).toEqual([['waiver_exceeds_charge', 'event waived', 'receipt late']]);
});

test('an act on a Loan that a late report closed has no effect, and says so', () => {
  const loan = given(issued(), settledForLess('2026-02-05', 100_00n));
  const after = loan.when(received('2026-01-31', 2_000_00n, { reference: 'all' }));
  expect(anomalies(after)).toEqual([['loan_closed', 'event settled_for_less', 'receipt all']]);
});

test('money reversed after a write-off or a cession is told, the cession first', () => {
  const paid = given(issued(), received('2026-01-31', 310_44n, { reference: 'r' }));
  expect(anomalies(paid.when(writtenOff('2026-02-05')).when(reversed('r')))).toEqual([
    ['reversal_after_write_off', 'event written_off', 'reversal v-r'],
  ]);
  const both = paid.when(writtenOff('2026-02-05')).when(ceded('2026-02-06'));
  expect(anomalies(both.when(reversed('r')))).toEqual([['reversal_after_cession', 'event ceded', 'reversal v-r']]);
  expect(anomalies(paid.when(reversed('r')).when(writtenOff('2026-02-05')))).toEqual([]);
});
