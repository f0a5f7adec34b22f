/**
 * Several writers at random while readers turn pages and read dated answers: nothing skipped, nothing twice, no answer of
 * two moments, no version that goes back, and every write seen by whoever was answered it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { house } from '#test/integration/tenant.ts';
import { everyPage, Lender } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

const writers = 4;
const writesEach = 30;
const on = '2026-04-20';
const seed = Date.now() % 1_000_000;

/** A dice of its own for each writer, so that a seed throws the same however they interleave. */
function dice(from: number): (sides: number) => number {
  let state = from;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What was answered 201, in the order of the answers. */
const answered = { loans: [] as string[], sold: [] as string[], receipts: new Map<string, string[]>() };

interface Row {
  readonly id: string;
}

function mustHoldOnce(seen: readonly string[], before: readonly string[], what: string): void {
  expect({ seed, what, twice: seen.filter((id, at) => seen.indexOf(id) !== at) }).toEqual({ seed, what, twice: [] });
  const skipped = before.filter((id) => !seen.includes(id));
  expect({ seed, what, skipped }).toEqual({ seed, what, skipped: [] });
}

class Writer {
  readonly #roll: (sides: number) => number;
  readonly #clients: readonly string[];
  readonly #loans: string[] = [];
  readonly #receipts: string[] = [];

  constructor(nth: number, clients: readonly string[]) {
    this.#roll = dice(seed + nth);
    this.#clients = clients;
  }

  async run(): Promise<void> {
    for (let nth = 0; nth < writesEach; nth += 1) {
      const client = this.#clients[this.#roll(this.#clients.length)] as string;
      const before = await facts(client);
      await this.#write(client);
      expect((await facts(client)) > before).toBe(true);
    }
  }

  async #write(client: string): Promise<void> {
    const turn = this.#roll(10);
    if (turn < 3 || this.#loans.length === 0) return this.#issue(client);
    if (turn < 7 || this.#receipts.length === 0) return this.#pay(client);
    if (turn < 8) return this.#writeOffAndBack(client);
    const reference = this.#receipts.splice(this.#roll(this.#receipts.length), 1)[0] as string;
    const { receipt } = await lender.reverse(reference);
    expect((await lender.read(`/receipts/${reference}`)).receipt).toEqual(receipt);
    // It moves the book of its own Client; whichever was picked moves as well, so that the version rose.
    await this.#pay(client);
  }

  async #issue(client: string): Promise<void> {
    const { id } = await lender.loan(client, { merchant_ref: 'shop' });
    answered.loans.push(id);
    answered.sold.push(id);
    this.#loans.push(id);
    const { loans } = await lender.read(`/loans?client_id=${client}&limit=200`);
    expect(loans.map((row: Row) => row.id)).toContain(id);
  }

  async #pay(client: string): Promise<void> {
    const day = `2026-0${2 + this.#roll(3)}-1${this.#roll(10)}`;
    const { receipt } = await lender.pay(client, 1_000 + this.#roll(200_000), day);
    this.#receipts.push(receipt.reference);
    answered.receipts.get(client)?.push(receipt.reference);
    const { receipts } = await lender.read(`/clients/${client}/receipts?limit=200`);
    expect(receipts.map(({ reference }: { reference: string }) => reference)).toContain(receipt.reference);
  }

  /** On a Loan of its own that it issues for it, so that no other writer is in the way. */
  async #writeOffAndBack(client: string): Promise<void> {
    const { id } = await lender.loan(client);
    answered.loans.push(id);
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
  const before = [...answered.loans];
  const rows = await everyPage(lender, '/loans', 'loans', 3);
  mustHoldOnce(
    rows.map(({ id }: Row) => id),
    before,
    'loans',
  );
  const active = await everyPage(lender, '/loans?state=active', 'loans', 4);
  mustHoldOnce(
    active.map(({ id }: Row) => id),
    [],
    'active loans',
  );
  expect(active.filter(({ state }: { state: string }) => state !== 'active')).toEqual([]);
}

async function readReceipts(client: string): Promise<void> {
  const before = [...(answered.receipts.get(client) ?? [])];
  const rows = await everyPage(lender, `/clients/${client}/receipts`, 'receipts', 2);
  mustHoldOnce(
    rows.map(({ reference }: { reference: string }) => reference),
    before,
    'receipts',
  );
  const moments = rows.map(({ reported_at }: { reported_at: string }) => reported_at);
  expect(moments).toEqual([...moments].sort().reverse());
}

const versions = new Map<string, number>();

/** Every figure of a book is of the facts its version counts: all the money it received is settled or owed back. */
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

// biome-ignore lint/suspicious/noExplicitAny: a journey reads whatever came
function sum(items: readonly any[], figure: (item: any) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

async function readMerchant(): Promise<void> {
  const before = [...answered.sold];
  const rows = await everyPage(lender, `/merchants/shop/book?on=${on}`, 'loans', 3);
  mustHoldOnce(
    rows.map(({ id }: Row) => id),
    before,
    'merchant',
  );
}

/** Accounts of the Client and of each Loan: what they began with, what moved and what they ended with are of one moment. */
async function readAccounts(client: string): Promise<void> {
  const period = 'from=2026-01-01&to=2026-12-31';
  const { currencies, loans } = await lender.read(`/clients/${client}/statement?${period}`);
  const [own] = currencies;
  expect(own?.loans ?? 0).toBe(loans.length);
  const parts = (figure: string) => sum(loans, (loan) => loan[figure].minor_units);
  for (const figure of ['opening', 'charged', 'received', 'closing']) {
    expect([figure, own?.[figure].minor_units ?? 0]).toEqual([figure, parts(figure)]);
  }
}

/** What was answered of a moment that is over. */
const known: { readonly path: string; readonly answer: unknown }[] = [];

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
    known.push({ path, answer: await lender.read(path) });
  }
}

async function readDues(): Promise<void> {
  const clients = await everyPage(lender, `/dues?on=${on}`, 'clients', 1);
  const ids = clients.map(({ client_id }: { client_id: string }) => client_id);
  mustHoldOnce(ids, [], 'dues');
  expect(ids).toEqual([...ids].sort());
}

/** From its beginning to its end, while it grows. */
class Follower {
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

test('readers among writers see every fact once, every answer of one moment, and their own writes at once', async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => lender.client()));
  for (const client of clients) answered.receipts.set(client, []);
  let isWriting = true;
  const follower = new Follower();
  const readers = [
    readListing,
    readDues,
    readMerchant,
    () => follower.step(),
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

  // Whatever was recorded since: what was known at a moment reads as it did.
  for (const { path, answer } of known) expect({ path, answer: await lender.read(path) }).toEqual({ path, answer });
  expect(known.length).toBeGreaterThan(0);

  while ((await follower.step()) > 0);
  const own = new Map<string, string[]>();
  for (const { loan_id, id } of follower.events) own.set(loan_id, [...(own.get(loan_id) ?? []), id]);
  mustHoldOnce([...own.keys()], answered.loans, 'feed');
  for (const [loan, ids] of own) {
    const { events } = await lender.read(`/loans/${loan}`);
    const recorded = events.filter(({ id }: { id?: string }) => id !== undefined);
    expect(ids).toEqual(recorded.map(({ id }: Row) => id));
  }
  // Thousands of answers, each held to the document, beside a house on the same machine.
}, 180_000);
