import { expect, test } from '@jest/globals';
import type { DueLoan, Money, Owed } from '#libs/sdk/src/contract/shapes.ts';
import { dueColumns, dueRows } from './dues-csv.ts';

const mxn = (minor_units: number): Money => ({ minor_units, currency: 'MXN' });
const owed = (charges: Readonly<Record<string, number>>): Owed => ({
  total: mxn(Object.values(charges).reduce((sum, amount) => sum + amount, 0)),
  charges: Object.entries(charges).map(([charge, amount]) => ({
    charge,
    amount: mxn(amount),
    tax: mxn(0),
    total: mxn(amount),
  })),
});
const recordsOf = (rows: ReturnType<typeof dueRows>) =>
  rows.map((row) => Object.fromEntries(dueColumns.map((column, index) => [column, row[index]])));

test('a Loan is a row with what is overdue by charge, what is late, and the next instalment', () => {
  const late = { owed: owed({ principal: 541_89 }), worst_days_past_due: 17, periods: 1 };
  const instalment = { due_on: '2026-03-15', owed: owed({ principal: 700_00 }) } as DueLoan['instalment'];
  const loan = { loan_id: 'id', reference: 'loan-1', overdue: owed({ principal: 541_89, penalty: 14_02 }), late };
  const clients = [{ client_id: 'ada', loans: [{ ...loan, ...(instalment && { instalment }) }], totals: [] }];
  expect(recordsOf(dueRows({ on: '2026-03-05', clients }))).toEqual([
    {
      ...{ on: '2026-03-05', client_id: 'ada', loan_id: 'id', reference: 'loan-1', currency: 'MXN' },
      ...{ overdue: '555.91', overdue_principal: '541.89', overdue_interest: '0.00', overdue_fee: '0.00' },
      ...{ overdue_penalty: '14.02', overdue_late_fee: '0.00', late: '541.89', days_past_due: 17 },
      ...{ next_due_on: '2026-03-15', next_instalment: '700.00', note: undefined },
    },
  ]);
});

test('a Loan that is not late has no days past due, and a Client without figures has a row with the reason', () => {
  const loan = { loan_id: 'id', reference: 'loan-1', overdue: owed({ principal: 100 }) };
  const anomalies = [{ kind: 'book_not_derivable', detail: '', facts: [] }];
  const clients = [
    { client_id: 'ada', loans: [loan], totals: [] },
    { client_id: 'bob', loans: [], totals: [], anomalies },
  ];
  const [ada, bob] = recordsOf(dueRows({ on: '2026-03-05', clients }));
  expect(ada).toMatchObject({ late: undefined, days_past_due: undefined, next_due_on: undefined });
  expect(bob).toMatchObject({ client_id: 'bob', overdue: undefined, note: 'book_not_derivable' });
});
