import { expect, test } from '@jest/globals';
import type { Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { Desk, kind, money } from '#libs/ledger/client/testing/desk.ts';

const act = (reference: string) => ({ reference, actor: 'desk', basis: 'test' });

function busyDesk() {
  const desk = new Desk();
  desk.ask('registerClient', { actor: 'desk', basis: 'onboarding' });
  const loan = desk.issue('loan-1') as unknown as { id: string };
  const other = desk.issue('loan-2', { anchor: '2025-02-01' }) as unknown as { id: string };
  const params = { loan_id: loan.id };
  desk.ask('reportReceipt', { reference: 'r-1', client_id: 'c-1', amount: money(103_561), value_date: '2025-02-15' });
  desk.ask('suspendLoan', { on: '2025-04-01', to: '2025-04-10', ...act('s-1') }, params);
  desk.ask('quotePayoff', { on: '2025-05-01', ...act('q-1') }, params);
  desk.ask('reportReceipt', { reference: 'r-2', client_id: 'c-1', amount: money(300_000), value_date: '2025-05-20' });
  desk.ask('waiveCharge', { on: '2025-05-25', period: 4, charge: 'penalty', amount: money(1), ...act('w-1') }, params);
  desk.ask('reverseReceipt', { reason: 'chargeback', ...act('v-1') }, { receipt_reference: 'r-1' });
  desk.ask('writeOffLoan', { on: '2025-09-01', ...act('wo-1') }, { loan_id: other.id });
  return { desk, loan, other };
}

function readsAs(book: ClientBook, loanId: string) {
  const submission = { operation: 'confirmLoan', params: { loan_id: loanId } } as unknown as Submission;
  return JSON.parse(
    kind.currentRecord(book, submission, { bookId: '', digest: '', kind: '', subject: '', sequence: 0 }).body,
  );
}

test('a Client that was never registered takes no money and no Loan', () => {
  const desk = new Desk();
  expect(
    desk.ask('reportReceipt', { reference: 'r', client_id: 'c-1', amount: money(1), value_date: '2025-02-15' }),
  ).toMatchObject({ refused: 'unknown_client' });
  expect(desk.issue('l')).toMatchObject({ refused: 'unknown_client' });
});

test('a snapshot read back is the book: it answers alike, and goes on alike', () => {
  const { desk, loan, other } = busyDesk();
  const again = kind.decode(kind.encode(desk.book)) as ClientBook;
  for (const { id } of [loan, other]) expect(readsAs(again, id)).toEqual(readsAs(desk.book, id));
  expect(kind.encode(again)).toBe(kind.encode(desk.book));
  const before = desk.ask('reportReceipt', {
    reference: 'r-9',
    client_id: 'c-1',
    amount: money(5_000),
    value_date: '2025-03-01',
  });
  desk.book = again;
  const after = desk.ask('reportReceipt', {
    reference: 'r-9',
    client_id: 'c-1',
    amount: money(5_000),
    value_date: '2025-03-01',
  });
  const money_of = (answer: object) => ({ ...answer, receipt: undefined });
  expect(money_of(after)).toEqual(money_of(before));
});

test('a book replayed from its stored facts is the book that decided them', () => {
  const { desk } = busyDesk();
  const replayed = desk.stored.reduce((book, fact) => kind.replay(book, fact), kind.empty('acme', 'c/c-1'));
  expect(kind.encode(replayed)).toBe(kind.encode(desk.book));
});

test('a snapshot of another format is dropped', () => {
  const { desk } = busyDesk();
  expect(kind.decode(kind.encode(desk.book).replace('{"format":', '{"format":9'))).toBeUndefined();
});

test('an issued Loan reads the plan of the contract: eleven payments of 1,035.61 and one of 1,035.65', () => {
  const { desk, loan } = busyDesk();
  const read = readsAs(desk.book, loan.id);
  expect(read.periods.map(({ payment }: { payment: { minor_units: number } }) => payment.minor_units)).toEqual([
    ...Array.from({ length: 11 }, () => 103_561),
    103_565,
  ]);
  expect(read.disclosure).toMatchObject({ figure: '43.1', convention: 'mx-cat', convention_version: 2 });
});

test('the events of a Loan tell every act with its account, and the reversal empties the Receipt', () => {
  const { desk, loan } = busyDesk();
  const kinds = readsAs(desk.book, loan.id).events.map((event: { kind: string }) => event.kind);
  expect(kinds).toEqual(['issued', 'suspended', 'waived']);
});
