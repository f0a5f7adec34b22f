/**
 * Random writers and concurrent readers: pages skip and repeat nothing, every answer is of one moment, versions never go
 * back, and a writer reads its own writes.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '#libs/runtime/random.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const writers = 4;
const writesEach = 30;
const on = '2026-04-20';
const seed = Date.now() % 1_000_000;

/** What was answered with 201, in the order of the answers. */
const acknowledged = { loans: [] as string[], sold: [] as string[], receipts: new Map<string, string[]>() };

interface Row {
  readonly id: string;
}

function expectEachOnce(seen: readonly string[], before: readonly string[], what: string): void {
  expect({ seed, what, twice: seen.filter((id, at) => seen.indexOf(id) !== at) }).toEqual({ seed, what, twice: [] });
  const skipped = before.filter((id) => !seen.includes(id));
  expect({ seed, what, skipped }).toEqual({ seed, what, skipped: [] });
}

class Writer {
  /** One generator for each writer, so that its choices do not depend on how the writers interleave. */
  readonly #random: Random;
  readonly #clients: readonly string[];
  readonly #loans: string[] = [];
  readonly #receipts: string[] = [];

  constructor(index: number, clients: readonly string[]) {
    this.#random = new Random(seed + index);
    this.#clients = clients;
  }

  async run(): Promise<void> {
    for (let nth = 0; nth < writesEach; nth += 1) {
      const client = this.#random.pick(this.#clients);
      const before = await facts(client);
      await this.#write(client);
      expect((await facts(client)) > before).toBe(true);
    }
  }

  async #write(client: string): Promise<void> {
    const choice = this.#random.integer(0, 9);
    if (choice < 3 || this.#loans.length === 0) return this.#issue(client);
    if (choice < 7 || this.#receipts.length === 0) return this.#pay(client);
    if (choice < 8) return this.#writeOffAndBack(client);
    const reference = this.#receipts.splice(this.#random.integer(0, this.#receipts.length - 1), 1)[0] as string;
    const { receipt } = await lender.reverse(reference);
    expect((await lender.read(`/receipts/${reference}`)).receipt).toEqual(receipt);
    // The reversal may concern another Client; the payment raises the version of this one.
    await this.#pay(client);
  }

  async #issue(client: string): Promise<void> {
    const { id } = await lender.loan(client, { merchant_ref: 'shop' });
    acknowledged.loans.push(id);
    acknowledged.sold.push(id);
    this.#loans.push(id);
    const { loans } = await lender.read(`/loans?client_id=${client}&limit=200`);
    expect(loans.map((row: Row) => row.id)).toContain(id);
  }

  async #pay(client: string): Promise<void> {
    const day = `2026-0${this.#random.integer(2, 4)}-1${this.#random.integer(0, 9)}`;
    const { receipt } = await lender.pay(client, this.#random.integer(1_000, 200_999), day);
    this.#receipts.push(receipt.reference);
    acknowledged.receipts.get(client)?.push(receipt.reference);
    const { receipts } = await lender.read(`/clients/${client}/receipts?limit=200`);
    expect(receipts.map(({ reference }: { reference: string }) => reference)).toContain(receipt.reference);
  }

  /** Writes off a new Loan and retracts it, so that no other writer interferes. */
  async #writeOffAndBack(client: string): Promise<void> {
    const { id } = await lender.loan(client);
    acknowledged.loans.push(id);
    const off = await lender.act(id, 'write-off', '2026-12-01');
    const states = async () =>
      (await lender.read(`/loans?client_id=${client}&state=written_off&limit=200`)).loans.map((row: Row) => row.id);
    expect(await states()).toContain(id);
    const event = off.events.find(({ kind }: { kind: string }) => kind === 'written_off');
    await lender.act(id, 'retraction', '2026-12-02', { event_id: event.id });
    expect(await states()).not.toContain(id);
  }
}

async function facts(client: string): Promise<number> {
  return (await lender.read(`/clients/${client}/book-version`)).facts;
}

async function readListing(): Promise<void> {
  const before = [...acknowledged.loans];
  const rows = await readAllPages(lender, '/loans', 'loans', 3);
  expectEachOnce(
    rows.map(({ id }: Row) => id),
    before,
    'loans',
  );
  const active = await readAllPages(lender, '/loans?state=active', 'loans', 4);
  expectEachOnce(
    active.map(({ id }: Row) => id),
    [],
    'active loans',
  );
  expect(active.filter(({ state }: { state: string }) => state !== 'active')).toEqual([]);
}

async function readReceipts(client: string): Promise<void> {
  const before = [...(acknowledged.receipts.get(client) ?? [])];
  const rows = await readAllPages(lender, `/clients/${client}/receipts`, 'receipts', 2);
  expectEachOnce(
    rows.map(({ reference }: { reference: string }) => reference),
    before,
    'receipts',
  );
  const moments = rows.map(({ reported_at }: { reported_at: string }) => reported_at);
  expect(moments).toEqual([...moments].sort().reverse());
}

const versions = new Map<string, number>();

/** The figures of a book match the facts its version counts: all money received is settled or owed back. */
async function readBook(client: string): Promise<void> {
  const book = await lender.read(`/clients/${client}/book?on=2026-12-31`);
  const events = book.loans.flatMap(({ loan }: { loan: { events: object[] } }) => loan.events);
  const recorded = events.filter((event: { id?: string }) => event.id !== undefined).length;
  const withdrawn = events.filter((event: { retraction?: object }) => event.retraction !== undefined).length;
  const reversed = book.receipts.filter((receipt: { reversed: boolean }) => receipt.reversed).length;
  expect(book.book_version.facts).toBe(recorded + withdrawn + book.receipts.length + reversed);
  const received = sum(
    book.receipts.filter(({ reversed: gone }: { reversed: boolean }) => !gone),
    ({ amount }) => amount.minor_units,
  );
  const paid = sum(book.loans, ({ loan }) => loan.paid.minor_units);
  expect(paid + book.obligations.amount.minor_units).toBe(received);
  expect(book.book_version.facts).toBeGreaterThanOrEqual(versions.get(client) ?? 0);
  versions.set(client, book.book_version.facts);
}

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed here
function sum(items: readonly any[], figure: (item: any) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

async function readMerchant(): Promise<void> {
  const before = [...acknowledged.sold];
  const rows = await readAllPages(lender, `/merchants/shop/book?on=${on}`, 'loans', 3);
  expectEachOnce(
    rows.map(({ id }: Row) => id),
    before,
    'merchant',
  );
}

/** The statements of the Client and of its Loans are of one moment: their figures add up. */
async function readAccounts(client: string): Promise<void> {
  const period = 'from=2026-01-01&to=2026-12-31';
  const { currencies, loans } = await lender.read(`/clients/${client}/statement?${period}`);
  const [total] = currencies;
  expect(total?.loans ?? 0).toBe(loans.length);
  const parts = (figure: string) => sum(loans, (loan) => loan[figure].minor_units);
  for (const figure of ['opening', 'charged', 'received', 'closing']) {
    expect([figure, total?.[figure].minor_units ?? 0]).toEqual([figure, parts(figure)]);
  }
}

/** Answers about a past moment. */
const pastAnswers: { readonly path: string; readonly answer: unknown }[] = [];

async function readKnown(client: string): Promise<void> {
  const { version } = await lender.read(`/clients/${client}/book-version`);
  if (version === undefined) return;
  const { loans } = await lender.read(`/clients/${client}/book?on=${on}&known_at=${version}`);
  const ofLoan = loans
    .slice(-1)
    .flatMap(({ loan }: { loan: Row }) => [
      `/loans/${loan.id}/schedule?on=${on}`,
      `/loans/${loan.id}/delinquency?on=${on}`,
      `/loans/${loan.id}/statement?from=2026-01-01&to=${on}`,
    ]);
  const dated = ['payment-options', 'book'].map((read) => `/clients/${client}/${read}?on=${on}`);
  const paths = [...dated, `/clients/${client}/statement?from=2026-01-01&to=${on}`, ...ofLoan];
  for (const path of paths.map((each) => `${each}&known_at=${version}`)) {
    pastAnswers.push({ path, answer: await lender.read(path) });
  }
}

async function readDues(): Promise<void> {
  const clients = await readAllPages(lender, `/dues?on=${on}`, 'clients', 1);
  const ids = clients.map(({ client_id }: { client_id: string }) => client_id);
  expectEachOnce(ids, [], 'dues');
  expect(ids).toEqual([...ids].sort());
}

/** Reads the feed from its beginning while it grows. */
class FeedReader {
  readonly events: { readonly id: string; readonly loan_id: string; readonly kind: string }[] = [];
  #cursor: string | undefined;

  async step(): Promise<number> {
    const from = this.#cursor === undefined ? '' : `&cursor=${this.#cursor}`;
    const page = await lender.read(`/loan-events?limit=7${from}`);
    this.events.push(...page.events);
    this.#cursor = page.cursor;
    return page.events.length;
  }
}

test('concurrent readers see every fact once, answers of one moment, and their own writes', async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => lender.client()));
  for (const client of clients) acknowledged.receipts.set(client, []);
  let isWriting = true;
  const feedReader = new FeedReader();
  const readers = [
    readListing,
    readDues,
    readMerchant,
    () => feedReader.step(),
    ...clients.slice(0, 2).map((client) => () => readReceipts(client)),
    ...clients.slice(0, 3).map((client) => () => readBook(client)),
    ...clients.slice(0, 2).map((client) => () => readAccounts(client)),
    ...clients.slice(0, 2).map((client) => () => readKnown(client)),
  ].map(async (read) => {
    while (isWriting) await read();
  });
  const written = Promise.all(Array.from({ length: writers }, (_, nth) => new Writer(nth, clients).run()));
  await written.finally(() => {
    isWriting = false;
  });
  await Promise.all(readers);

  // Answers as known at a past moment are unchanged.
  for (const { path, answer } of pastAnswers)
    expect({ path, answer: await lender.read(path) }).toEqual({ path, answer });
  expect(pastAnswers.length).toBeGreaterThan(0);

  while ((await feedReader.step()) > 0);
  const eventsByLoan = new Map<string, string[]>();
  for (const { loan_id, id } of feedReader.events)
    eventsByLoan.set(loan_id, [...(eventsByLoan.get(loan_id) ?? []), id]);
  expectEachOnce([...eventsByLoan.keys()], acknowledged.loans, 'feed');
  for (const [loan, ids] of eventsByLoan) {
    const { events } = await lender.read(`/loans/${loan}`);
    const recorded = events.filter(({ id }: { id?: string }) => id !== undefined);
    expect(ids).toEqual(recorded.map(({ id }: Row) => id));
  }
  // The timeout covers thousands of answers validated against the document on a shared machine.
});
