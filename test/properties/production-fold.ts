/** The production fold, with input and answers in the JSON of the worked books. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { statement } from '#libs/ledger/answers/statement.ts';
import { EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { workedBookMarket } from '#libs/product/markets/testing/example-markets.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { BookInput, FactOutcome, Question } from '#test/reference-model/input.ts';
import { parseFact } from './parse-facts.ts';

export type ProductionBook = {
  readonly book: FoldedFacts;
  readonly facts: readonly FactOutcome[];
  /** The admitted facts as they were recorded. */
  readonly recorded: readonly RecordedFact[];
  readonly market: Market;
  readonly calendars: Calendars;
};

export function answerBook(input: BookInput): { facts: FactOutcome[]; answers: unknown[] } {
  const book = buildProductionBook(input);
  return { facts: [...book.facts], answers: input.questions.map((question) => answerQuestion(book, question)) };
}

/** Admits the facts one after another. */
export function buildProductionBook(input: BookInput): ProductionBook {
  const market = workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]);
  const calendars: Calendars = () => market.calendar.value;
  const recorded: RecordedFact[] = [];
  let book: FoldedFacts = EMPTY_BOOK;
  const facts = input.facts.map((stated, seq): FactOutcome => {
    const read = parseFact(book, stated, input, market);
    const entry = { seq: seq + 1, at: '', statement: statementOf(stated) };
    const added = isRefusal(read) ? read : admitFact(book, { ...entry, fact: read }, calendars);
    if (isRefusal(added))
      return { admitted: false, code: added.code, status: added.status, details: { ...added.details } };
    book = added.book;
    recorded.push({ ...entry, fact: read as Fact });
    return { admitted: true };
  });
  return { book, facts, recorded, market, calendars };
}

function statementOf(stated: BookInput['facts'][number]) {
  if (stated.type === 'issuance') return { configuration: { id: stated.configuration, version: 1 }, terms: {} };
  return { reference: stated.reference, actor: 'a', basis: 'b' };
}

/** The answer to a question about the book, as the service gives it. */
function servedAnswer(
  { book, calendars, market }: Pick<ProductionBook, 'book' | 'calendars' | 'market'>,
  question: Question,
): object | undefined {
  switch (question.kind) {
    case 'loan':
      return loanAnswer(book, book.log.loan(book.loans.length, question.loan) as number, 't');
    case 'schedule': {
      const moment = bookOnDay(book, dayOf(question.on), calendars);
      return scheduleAnswer(moment, loanOf(book, moment.loans, question.loan));
    }
    case 'delinquency': {
      const moment = bookOnDay(book, dayOf(question.on), calendars);
      return delinquency(moment, loanOf(book, moment.loans, question.loan));
    }
    case 'payment_options':
      return paymentOptions(bookOnDay(book, dayOf(question.on), calendars), question.client_id);
    case 'statement': {
      const span = { from: dayOf(question.from), to: dayOf(question.to) };
      return runToEnd(statement(book, question.client_id, span, calendars));
    }
    case 'receipt': {
      const recorded = book.log.receipt(book.length, question.receipt);
      return recorded && receiptAnswer(book, recorded, 'c', calendars);
    }
    case 'obligations':
      return obligations(book, question.client_id, market.currencies.value[0]);
  }
}

/** The answer to a question about the book. */
export function answerQuestion(
  book: Pick<ProductionBook, 'book' | 'calendars' | 'market'>,
  question: Question,
): unknown {
  const served = servedAnswer(book, question);
  return served === undefined ? null : bareAnswer(question, served);
}

// biome-ignore lint/suspicious/noExplicitAny: each kind of answer has its own members
type Members = any;

/** What the worked books state of an answer of the service. */
export function bareAnswer(question: Question, served: object): unknown {
  const answer: Members = served;
  switch (question.kind) {
    case 'loan': {
      const { convention, convention_version, figure } = answer.disclosure;
      const { tenant_id: _t, created_at: _c, events, configuration: _p, terms: _s, regime: _r, ...rest } = answer;
      return plain({
        ...rest,
        anomalies: answer.anomalies.map(bareAnomaly),
        disclosure: { convention, convention_version, figure },
        settled_event: events.find(({ kind }: Members) => kind === 'settled')?.occurred_on ?? null,
      });
    }
    case 'schedule': {
      const { periods, totals: _totals, anomalies: _anomalies, ...rest } = answer;
      const billed = periods.filter(({ index }: Members) => index > 0);
      return plain({
        ...rest,
        periods: billed.map((period: Members) => ({ ...period, settled_on: period.settled_on ?? null })),
      });
    }
    case 'delinquency': {
      const { anomalies: _anomalies, ...rest } = answer;
      return plain(rest);
    }
    case 'payment_options': {
      const loans = answer.loans.map(
        ({ anomalies: _anomalies, any_other_amount: { treatment }, ...rest }: Members) => ({
          ...rest,
          any_other_amount: { treatment },
        }),
      );
      return plain({ on: answer.on, loans });
    }
    case 'statement': {
      const loans = answer.loans.map(
        ({ reference: _reference, from: _from, to: _to, anomalies: _anomalies, ...rest }: Members) => rest,
      );
      const currencies = answer.currencies.map(({ anomalies: _anomalies, ...rest }: Members) => rest);
      return plain({ from: answer.from, to: answer.to, loans, currencies });
    }
    case 'receipt': {
      const { receipt: _row, loans, anomalies, ...rest } = answer;
      return plain({
        reference: question.receipt,
        ...rest,
        loans: loans.map(({ reference: _reference, ...loan }: Members) => loan),
        anomalies: anomalies.map(bareAnomaly),
      });
    }
    case 'obligations': {
      const { client_id: _client, amount, ...rest } = answer;
      const lists = { receipts: [], returns: [], returned: [], rollovers: [], undone: [], settlements: [] };
      return plain({ currency: amount.currency, amount, ...lists, ...rest });
    }
  }
}

function bareAnomaly({ kind, facts }: { readonly kind: string; readonly facts: readonly string[] }): object {
  return { kind, facts };
}

function loanOf(book: FoldedFacts, loans: readonly Loan[], id: string): Loan {
  return loans[book.log.loan(book.loans.length, id) as number] as Loan;
}

/** Replaces each money object by its minor units, as in the worked books. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('minor_units' in value) return value.minor_units;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
