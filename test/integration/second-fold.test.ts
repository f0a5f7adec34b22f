/**
 * Random books of a Tenancy on every database of the cell: the service decides and answers them as the reference model does, which
 * is the second implementation of the fold.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formatDay } from '#libs/calendar/civil-day.ts';
import type { LoanEvent } from '#libs/ledger/answers/loan-events.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { mexicanBankHolidays } from '#libs/product/markets/mx.ts';
import { Random } from '#libs/runtime/random.ts';
import { bareAnswer } from '#test/properties/production-fold.ts';
import { answerBook } from '#test/reference-model/answer-book.ts';
import type { ActFact, BookInput, Fact, FactOutcome, Question } from '#test/reference-model/input.ts';
import { Lender, pesos, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { attributed, loanBody, type ProductVersion } from '#test/support/request-bodies.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

const bookCount = Number(process.env['LENDING_RANDOM_BOOKS'] ?? 4);
const requestsPerBook = 16;
/** Books that differed once: one in which the issuance of another Loan made an acceleration fail. */
const seedsOfFoundBooks = [119_599];
const seed = Number(process.env['LENDING_RANDOM_SEED'] ?? Date.now() % 1_000_000);
const questionDays = ['2026-02-20', '2026-04-10', '2026-07-31', '2027-03-01'];

const years = Array.from({ length: 15 }, (_, index) => 2026 + index);
const market = {
  weekend: [6, 7],
  holidays: years.flatMap((year) => mexicanBankHolidays(year).map(formatDay)),
  covers_to: '2040-12-31',
};
const product = 'product';
const terms = { rate_min: '0', rate_max: '60', terms: [3, 6, 12] };
const range = { principal_min: 100_00, principal_max: 50_000_00 };
const configurations: BookInput['configurations'] = {
  [product]: { archetype: 'instalment', values: { ...terms, ...range } },
};

let lender: Lender;
let version: ProductVersion;
let opened: OpenedDatabases;
beforeAll(async () => {
  opened = await openTestDatabases(testEnvironment(), { name: 'second fold' });
  lender = await Lender.open(testEnvironment());
  const { principal_min, principal_max } = range;
  const values = { ...terms, principal_min: pesos(principal_min), principal_max: pesos(principal_max) };
  const body = { archetype: 'instalment', values };
  version = { id: requireStatus(await lender.tenant.post('/product-configurations', body), 201).body.id, version: 1 };
});
afterAll(async () => {
  await lender.close();
  await opened.close();
});

interface Compared {
  readonly facts: readonly string[];
  readonly answers: readonly unknown[];
}

/** What was requested for one Client, as the reference model states it, and what the service answered. */
class ComparedBook {
  readonly #random: Random;
  readonly #client: string;
  readonly #facts: Fact[] = [];
  readonly #outcomes: FactOutcome[] = [];
  readonly #loans: string[] = [];
  readonly #receipts: string[] = [];

  constructor(client: string, seed: number) {
    this.#client = client;
    this.#random = new Random(seed);
  }

  async write(): Promise<void> {
    await this.#issue();
    for (let request = 1; request < requestsPerBook; request += 1) {
      const choice = this.#random.integer(0, 9);
      if (choice < 5) await this.#pay();
      else if (choice < 8) await this.#act();
      else if (choice < 9) await this.#reverse();
      else await this.#issue();
    }
  }

  /** What the reference model says, and what the service does. */
  async compare(): Promise<{ readonly expected: Compared; readonly found: Compared }> {
    const questions = this.#questions();
    const input = { market, configurations, facts: this.#facts, questions };
    const { facts, answers } = answerBook(input);
    const found: unknown[] = [];
    for (const question of questions) {
      const { status, body } = await lender.tenant.get(pathOf(question));
      found.push(status === 200 ? bareAnswer(question, body) : { status, body });
    }
    const label = (all: readonly unknown[]) => all.map((answer, at) => ({ question: questions[at], answer }));
    return {
      expected: { facts: facts.map(outcomeOf), answers: JSON.parse(JSON.stringify(label(answers))) },
      found: { facts: this.#outcomes.map(outcomeOf), answers: label(found) },
    };
  }

  #questions(): Question[] {
    const client_id = this.#client;
    return [
      ...this.#loans.flatMap((loan): Question[] => [
        { kind: 'loan', loan },
        ...questionDays.flatMap((on): Question[] => [
          { kind: 'schedule', loan, on },
          { kind: 'delinquency', loan, on },
        ]),
      ]),
      ...questionDays.map((on): Question => ({ kind: 'payment_options', client_id, on })),
      { kind: 'statement', client_id, from: '2026-01-01', to: '2026-12-31' },
      ...this.#receipts.map((receipt): Question => ({ kind: 'receipt', receipt })),
      { kind: 'obligations', client_id },
    ];
  }

  #record({ status, body }: TestResponse, fact: Fact): void {
    this.#facts.push(fact);
    const isAdmitted = status === 200 || status === 201;
    this.#outcomes.push(isAdmitted ? { admitted: true } : { admitted: false, code: body.code, status, details: {} });
  }

  async #issue(): Promise<void> {
    const reference = uniqueReference('loan');
    const stated = {
      principal: pesos(this.#random.integer(1_000_00, 20_000_00)),
      term_periods: this.#random.pick([3, 6, 12]),
      rate: this.#random.pick(['0', '12.5', '36', '60']),
      anchor: this.#random.pick(['2026-01-15', '2026-02-01', '2026-03-31']),
    };
    const body = loanBody(version, this.#client, reference, stated);
    const response = await lender.tenant.post('/loans', body);
    const isIssued = response.status === 201;
    const id = isIssued ? response.body.id : reference;
    if (isIssued) this.#loans.push(id);
    this.#record(response, {
      type: 'issuance',
      id,
      ...(isIssued ? { event_id: response.body.events[0].id } : {}),
      reference,
      client_id: this.#client,
      configuration: product,
      ...stated,
      principal: stated.principal.minor_units,
      penalty_rate: '0',
      tax: { rate: '16', on: ['interest'] },
    });
  }

  async #pay(): Promise<void> {
    const reference = uniqueReference('receipt');
    const amount = this.#random.integer(1, 3_000_00);
    const stated = {
      reference,
      client_id: this.#client,
      value_date: this.#random.pick(['2026-02-10', '2026-03-16', '2026-05-02', '2026-08-20']),
      ...(this.#random.chance(0.2) ? { designated_loan_id: this.#random.pick(this.#loans) } : {}),
    };
    const response = await lender.tenant.post('/receipts', { ...stated, amount: pesos(amount) });
    if (response.status === 201) this.#receipts.push(reference);
    this.#record(response, { type: 'receipt', ...stated, amount });
  }

  async #reverse(): Promise<void> {
    if (this.#receipts.length === 0) return this.#pay();
    const receipt = this.#random.pick(this.#receipts);
    const body = attributed({ reason: 'chargeback' }) as { readonly reference: string };
    const response = await lender.tenant.post(`/receipts/${receipt}/reversal`, body);
    this.#record(response, { type: 'reversal', reference: body.reference, receipt, client_id: this.#client });
  }

  async #act(): Promise<void> {
    const loan = this.#random.pick(this.#loans);
    const on = this.#random.pick(['2026-03-01', '2026-04-10', '2026-06-20']);
    const amount = this.#random.integer(1, 2_000_00);
    const [kind, members] = this.#random.pick<readonly [ActFact['kind'], Partial<ActFact>]>([
      ['write-off', {}],
      ['suspension', { to: '2026-07-15' }],
      ['waiver', { period: 1, charge: 'interest', amount }],
      ['settlement', { agreed: amount }],
      ['acceleration', { notified_on: '2026-02-20' }],
      ['cession', {}],
      ['return', { amount }],
    ]);
    const money = Object.entries(members).map(([name, value]) => {
      return [name, name === 'amount' || name === 'agreed' ? pesos(value as number) : value];
    });
    const body = attributed({ on, ...Object.fromEntries(money) }) as { readonly reference: string };
    const response = await lender.tenant.post(`/loans/${loan}/${kind}`, body);
    const { reference } = body;
    // The last event may be `settled`, which is derived and has no id.
    const events: readonly LoanEvent[] = response.status === 201 ? response.body.events : [];
    const id = events.find(({ act }) => act?.reference === reference)?.id ?? reference;
    this.#record(response, { type: 'act', kind, id, reference, loan, client_id: this.#client, on, ...members });
  }
}

function outcomeOf(outcome: FactOutcome): string {
  return outcome.admitted ? 'admitted' : `${outcome.status} ${outcome.code}`;
}

function pathOf(question: Question): string {
  switch (question.kind) {
    case 'loan':
      return `/loans/${question.loan}`;
    case 'schedule':
    case 'delinquency':
      return `/loans/${question.loan}/${question.kind}?on=${question.on}`;
    case 'payment_options':
      return `/clients/${question.client_id}/payment-options?on=${question.on}`;
    case 'statement':
      return `/clients/${question.client_id}/statement?from=${question.from}&to=${question.to}`;
    case 'receipt':
      return `/receipts/${question.receipt}`;
    case 'obligations':
      return `/clients/${question.client_id}/obligations`;
  }
}

/** A new Client whose book is on this database. */
async function clientOn(database: unknown): Promise<string> {
  for (;;) {
    const client = await lender.client();
    const key = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
    if (opened.databases.ofBook(key) === database) return client;
  }
}

test(
  'the service and the reference model agree on what is admitted and on every answer',
  async () => {
    const counts = { books: 0, admitted: 0, refused: 0, answers: 0 };
    const { all } = opened.databases;
    console.log(`second fold with seed ${seed}`);
    const randomSeeds = Array.from({ length: Math.max(bookCount, all.length) }, (_, index) => seed + index);
    for (const [index, seedOfBook] of [...seedsOfFoundBooks, ...randomSeeds].entries()) {
      const book = new ComparedBook(await clientOn(all[index % all.length]), seedOfBook);
      await book.write();
      const { expected, found } = await book.compare();
      expect(found).toEqual(expected);
      const admitted = expected.facts.filter((outcome) => outcome === 'admitted').length;
      counts.books += 1;
      counts.admitted += admitted;
      counts.refused += expected.facts.length - admitted;
      counts.answers += expected.answers.length;
    }
    console.error(`the service and the reference model agree: ${JSON.stringify(counts)}`);
    expect(counts.admitted).toBeGreaterThan(counts.refused);
  },
  120_000 + 10_000 * bookCount,
);
