/**
 * Decides the submissions to a Tenancy's own book: its opening, bounds, keys, product configurations, lookup keys, credit
 * policies and company profile.
 */

import type {
  BookDecider,
  ConfigurationRow,
  DerivedRows,
  KeyRow,
  NewFact,
  TenancyRow,
} from '#libs/ledger/book-decider.ts';
import { shortTask } from '#libs/ledger/cooperative-loop.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { administrationActs, installationId } from '#libs/tenant/administration-acts.ts';
import { companyProfileActs } from '#libs/tenant/company-profile.ts';
import { configurationActs, configurationText, lookupKeyActs } from '#libs/tenant/configuration-acts.ts';
import { currentPolicyText, policyActs } from '#libs/tenant/policy-acts.ts';
import { decodeTenancyBook, emptyTenancyBook, encodeTenancyBook, type TenancyBook } from '#libs/tenant/tenancy-book.ts';
import { type TenancyAct, type TenancyFact, withTenancyFact } from '#libs/tenant/tenancy-facts.ts';

/** By operation. */
const acts: Readonly<Record<string, TenancyAct>> = {
  ...administrationActs,
  ...configurationActs,
  ...lookupKeyActs,
  ...policyActs,
  ...companyProfileActs,
};

/** As of a Tenancy that was never opened; the details tell an operator the difference. */
const closedRefusal = refuse('not_found', { bound: 'an open Tenancy', observed: 'closed' });

export function tenancyBookDecider(markets: Markets = MARKETS): BookDecider<TenancyBook> {
  return {
    empty: emptyTenancyBook,
    decide(book, submission, recordedAt) {
      const act = acts[submission.operation];
      if (act === undefined) throw new Error(`unknown operation ${submission.operation} on the book of a Tenancy`);
      const isOpen = book.tenancy !== undefined || book.tenantId === installationId;
      if (!isOpen && submission.operation !== 'openTenancy') return refuse('not_found');
      if (book.closedAt !== undefined && act.isAdmittedWhenClosed !== true) return closedRefusal;
      const decision = act.decide(book, submission, { recordedAt, markets });
      if (isRefusal(decision)) return decision;
      const { status, subject } = decision;
      const facts = decision.facts.map(newFact);
      const after = facts.reduce((latest, fact) => withTenancyFact(latest, { ...fact, recordedAt }), book);
      return {
        facts,
        book: after,
        answer: () => ({ status, body: decision.answer(after) }),
        ...(subject === undefined ? {} : { subject }),
      };
    },
    currentRecord: (book, { operation }, { subject }) => ({
      status: 200,
      body: currentPolicyText(book, operation, subject),
    }),
    replay: withTenancyFact,
    encode: (book) => shortTask(() => encodeTenancyBook(book)),
    decode: (text) => shortTask(() => decodeTenancyBook(text)),
    derive: (before, after) => derivedRows(before, after, markets),
  };
}

/** No book version counts the facts of a Tenancy's book. */
function newFact({ kind, body }: TenancyFact): NewFact {
  return { kind, body: JSON.stringify(body), counts: false };
}

/** The changed rows of the tables that requests, ingress and listings look up. */
function derivedRows(before: TenancyBook, after: TenancyBook, markets: Markets): DerivedRows {
  return {
    tenancies: tenancyRows(before, after),
    keys: keyRows(before, after),
    configurations: configurationRows(before, after, markets),
  };
}

function tenancyRows(before: TenancyBook, after: TenancyBook): TenancyRow[] {
  const { tenancy, tenantId } = after;
  return tenancy === undefined || tenancy === before.tenancy ? [] : [{ tenantId, ...tenancy }];
}

function keyRows(before: TenancyBook, after: TenancyBook): KeyRow[] {
  if (before.keys === after.keys) return [];
  return [...after.keys.values()].filter((key) => before.keys.get(key.fp) !== key);
}

function configurationRows(before: TenancyBook, after: TenancyBook, markets: Markets): ConfigurationRow[] {
  if (before.configurations === after.configurations) return [];
  const rows: ConfigurationRow[] = [];
  for (const { id, archetype, versions } of after.configurations.values()) {
    const knownVersions = before.configurations.get(id)?.versions.length ?? 0;
    for (const [index, { values, recordedAt }] of versions.entries()) {
      if (index < knownVersions) continue;
      rows.push({
        configurationId: id,
        version: index + 1,
        archetype,
        createdAt: recordedAt,
        values: JSON.stringify(values),
        answer: configurationText(after, id, index + 1, markets),
      });
    }
  }
  return rows;
}
