import { expect, test } from '@jest/globals';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientBookDecider } from '#libs/ledger/client/client-book-decider.ts';
import { decider, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import { onlyMarket } from '#libs/product/markets/testing/example-markets.ts';

const act = (reference: string) => ({ reference, actor: 'officer-1', basis: 'test' });

function busyClient() {
  const client = new TestClientBook();
  client.submit('registerClient', { actor: 'officer-1', basis: 'onboarding' });
  const loan = client.issue('loan-1') as { id: string };
  const other = client.issue('loan-2', { anchor: '2025-02-01' }) as { id: string };
  const params = { loan_id: loan.id };
  client.submit('reportReceipt', {
    reference: 'r-1',
    client_id: 'c-1',
    amount: money(103_561),
    value_date: '2025-02-15',
  });
  client.submit('suspendLoan', { on: '2025-04-01', to: '2025-04-10', ...act('s-1') }, params);
  client.submit('quotePayoff', { on: '2025-05-01', ...act('q-1') }, params);
  client.submit('reportReceipt', {
    reference: 'r-2',
    client_id: 'c-1',
    amount: money(300_000),
    value_date: '2025-05-20',
  });
  client.submit(
    'waiveCharge',
    { on: '2025-05-25', period: 4, charge: 'penalty', amount: money(1), ...act('w-1') },
    params,
  );
  client.submit('reverseReceipt', { reason: 'chargeback', ...act('v-1') }, { receipt_reference: 'r-1' });
  client.submit('writeOffLoan', { on: '2025-09-01', ...act('wo-1') }, { loan_id: other.id });
  return { client, loan, other };
}

function readLoan(book: ClientBook, loanId: string, reader = decider) {
  const submission = { operation: 'confirmLoan', params: { loan_id: loanId } } as unknown as Submission;
  return JSON.parse(
    reader.currentRecord(book, submission, { bookId: '', digest: '', kind: '', subject: '', sequence: 0 }).body,
  );
}

test('a Client that is not registered gets neither a Receipt nor a Loan', () => {
  const client = new TestClientBook();
  expect(
    client.submit('reportReceipt', { reference: 'r', client_id: 'c-1', amount: money(1), value_date: '2025-02-15' }),
  ).toMatchObject({ refused: 'unknown_client' });
  expect(client.issue('l')).toMatchObject({ refused: 'unknown_client' });
});

test('a decoded snapshot answers like the book and decides like it', () => {
  const { client, loan, other } = busyClient();
  const again = runToEnd(decider.decode(runToEnd(decider.encode(client.book)))) as ClientBook;
  for (const { id } of [loan, other]) expect(readLoan(again, id)).toEqual(readLoan(client.book, id));
  expect(runToEnd(decider.encode(again))).toBe(runToEnd(decider.encode(client.book)));
  const before = client.submit('reportReceipt', {
    reference: 'r-9',
    client_id: 'c-1',
    amount: money(5_000),
    value_date: '2025-03-01',
  });
  client.book = again;
  const after = client.submit('reportReceipt', {
    reference: 'r-9',
    client_id: 'c-1',
    amount: money(5_000),
    value_date: '2025-03-01',
  });
  const withoutReceipt = (answer: object) => ({ ...answer, receipt: undefined });
  expect(withoutReceipt(after)).toEqual(withoutReceipt(before));
});

test('a book replayed from its stored facts equals the original', () => {
  const { client } = busyClient();
  const replayed = client.stored.reduce((book, fact) => decider.replay(book, fact), decider.empty('acme', 'c/c-1'));
  expect(runToEnd(decider.encode(replayed))).toBe(runToEnd(decider.encode(client.book)));
});

test('a snapshot of another format is not decoded', () => {
  const { client } = busyClient();
  expect(
    runToEnd(decider.decode(runToEnd(decider.encode(client.book)).replace('{"format":', '{"format":9'))),
  ).toBeUndefined();
});

test('an issued Loan reads eleven payments of 1,035.61 and one of 1,035.65', () => {
  const { client, loan } = busyClient();
  const read = readLoan(client.book, loan.id);
  expect(read.periods.map(({ payment }: { payment: { minor_units: number } }) => payment.minor_units)).toEqual([
    ...Array.from({ length: 11 }, () => 103_561),
    103_565,
  ]);
  expect(read.disclosure).toMatchObject({ figure: '43.1', convention: 'mx-cat', convention_version: 2 });
});

test('the events of a Loan are its issuance and acts, without Receipts', () => {
  const { client, loan } = busyClient();
  const kinds = readLoan(client.book, loan.id).events.map((event: { kind: string }) => event.kind);
  expect(kinds).toEqual(['issued', 'suspended', 'waived']);
});

function marketWithDisclosure(version: number, figure: string, provisional: boolean): Market {
  const value = { convention: `rule-${version}`, version, disclose: () => ({ figure }) };
  return { ...MX, disclosure: { value, source: 'made up for this test', provisional } };
}

test('a disclosure keeps its figure, its version and its provisional mark when the market changes', () => {
  const issuedUnder = onlyMarket(marketWithDisclosure(1, '40.1', true));
  const client = new TestClientBook(manifest, issuedUnder);
  client.register();
  const loan = client.issue('loan-1') as { id: string; disclosure: object };
  const disclosed = {
    jurisdiction: 'MX',
    figure: '40.1',
    convention: 'rule-1',
    convention_version: 1,
    provisional: true,
  };
  expect(loan.disclosure).toEqual(disclosed);

  const later = clientBookDecider(onlyMarket(marketWithDisclosure(2, '50.2', false)));
  const replayed = client.stored.reduce((book, fact) => later.replay(book, fact), later.empty('acme', 'c/c-1'));
  expect(readLoan(replayed, loan.id, later).disclosure).toEqual(disclosed);
  const decoded = runToEnd(later.decode(runToEnd(client.decider.encode(client.book)))) as ClientBook;
  expect(readLoan(decoded, loan.id, later).disclosure).toEqual(disclosed);
  client.book = runToEnd(later.decode(runToEnd(later.encode(replayed)))) as ClientBook;
  const written = client.submit('writeOffLoan', { on: '2025-09-01', ...act('wo-1') }, { loan_id: loan.id });
  expect(written).toMatchObject({ state: 'written_off', disclosure: disclosed });
});

test('the regime of a Loan shows the tolerance and the penalty ceilings of its product, and leaves out those it has not', () => {
  const client = new TestClientBook();
  client.register();
  const limits = { tolerance: money(5_00), penalty_ceiling_days: 30, penalty_ceiling_bps: 5_000 };
  const limited = client.issue('loan-1', {}, limits) as { id: string; regime: object };
  expect(limited.regime).toMatchObject(limits);
  expect(readLoan(client.book, limited.id).regime).toEqual(limited.regime);
  const unlimited = [client.issue('loan-2'), client.issue('loan-3', {}, { tolerance: money(0) })];
  for (const { regime } of unlimited) {
    expect(regime).toMatchObject({ penalty_rate: '72' });
    for (const member of Object.keys(limits)) expect(regime).not.toHaveProperty(member);
  }
});

test('a retracted return keeps its amount among the events of the Loan', () => {
  const client = new TestClientBook();
  client.register();
  const { id } = client.issue('loan-1') as { id: string };
  const params = { loan_id: id };
  const returned = client.submit('returnGoods', { on: '2025-02-01', amount: money(100_00), ...act('g-1') }, params);
  const [, event] = (returned as unknown as { events: { id: string }[] }).events;
  expect(event).toMatchObject({ kind: 'returned', amount: money(100_00) });
  client.submit('retractFact', { on: '2025-02-02', event_id: String(event?.id), ...act('x-1') }, params);
  const read = readLoan(client.book, id);
  expect(read).not.toHaveProperty('returns');
  expect(read.events[1]).toMatchObject({ ...event, retraction: { on: '2025-02-02', reference: 'x-1' } });
});

test('a Receipt names the Loan that it was designated to, and no Loan where it was not', () => {
  const client = new TestClientBook();
  client.register();
  const { id } = client.issue('loan-1') as { id: string };
  const receipt = { client_id: 'c-1', amount: money(5_000), value_date: '2025-02-15' };
  const designated = client.submit('reportReceipt', { ...receipt, reference: 'r-1', designated_loan_id: id });
  expect(designated).toMatchObject({ receipt: { reference: 'r-1', designated_loan_id: id } });
  const other = client.submit('reportReceipt', { ...receipt, reference: 'r-2' });
  expect(other['receipt']).not.toHaveProperty('designated_loan_id');
});
