/** What a Tenancy's book is, and what its acts are given. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { Policies } from '#libs/credit/lifecycle.ts';
import type {
  AdmissionResult,
  KeyRow,
  NewFact,
  RecordedReference,
  StoredFact,
  Submission,
  TenancyRow,
} from '#libs/ledger/book-decider.ts';
import type { Configurations } from '#libs/product/configurations.ts';
import type { Market, Markets } from '#libs/product/markets/market.ts';
import { marketOf } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { LookupKeys } from '#libs/tenant/lookup-keys.ts';

/** The tables that follow the book keep both as the book does. */
export type Tenancy = Omit<TenancyRow, 'tenantId'>;
export type TenancyKey = KeyRow;

/** Never changed in place: an old value stays what it was. */
export interface TenancyBook {
  readonly tenantId: string;
  readonly tenancy?: Tenancy;
  readonly keys: ReadonlyMap<string, TenancyKey>;
  readonly configurations: Configurations;
  readonly lookupKeys: LookupKeys;
  readonly policies: Policies;
  /** Absent until one is put. */
  readonly companyProfile?: JsonObject;
}

/** What an act is given beside the book and the submission. */
export interface ActAt {
  readonly at: Moment;
  readonly markets: Markets;
}

export type TenancyAct = (book: TenancyBook, submission: Submission, at: ActAt) => AdmissionResult<TenancyBook>;

/** The text of a record that a retry names, as it reads now. */
export type Again = (book: TenancyBook, recorded: RecordedReference) => string;

/** The facts of this book, by kind, as `body` holds them. */
export type Apply = (book: TenancyBook, body: never, recordedAt: Moment) => TenancyBook;

export type Effects = Readonly<Record<string, Apply>>;

/** A fact of this book; none of them is counted by a version anyone reads. */
export function tenancyFact(kind: string, body: object): NewFact {
  return { kind, body: JSON.stringify(body), counts: false };
}

export function homeMarket(book: TenancyBook, markets: Markets): Market {
  const market = marketOf(book.tenancy?.jurisdiction ?? '', markets);
  if (market === undefined) throw new Error(`${book.tenantId} has no home market`);
  return market;
}

export function withFact(
  effects: Effects,
  book: TenancyBook,
  { kind, body, recordedAt }: Omit<StoredFact, 'sequence'>,
): TenancyBook {
  const apply = effects[kind];
  if (apply === undefined) throw new Error(`a Tenancy's book holds no ${kind}`);
  return apply(book, JSON.parse(body) as never, recordedAt);
}

/** The book as facts that were just decided leave it: the same path as when they are read back. */
export function withFacts(
  effects: Effects,
  book: TenancyBook,
  facts: readonly NewFact[],
  recordedAt: Moment,
): TenancyBook {
  return facts.reduce((after, { kind, body }) => withFact(effects, after, { kind, body, recordedAt }), book);
}
