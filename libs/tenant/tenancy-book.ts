/**
 * The Tenancy's own book: that it was opened, its bounds, its keys, its product configurations and the words they are sold
 * under, its credit policies, its profile. A book like a Client's, with its turn, its facts and its snapshots. Pure.
 */

import { noPolicies } from '#libs/credit/lifecycle.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { NO_CONFIGURATIONS } from '#libs/product/configurations.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { NO_LOOKUP_KEYS } from '#libs/tenant/lookup-keys.ts';
import { configurationActs, configurationEffects } from '#libs/tenant/tenancy-book-configurations.ts';
import { lookupKeyActs, lookupKeyEffects } from '#libs/tenant/tenancy-book-lookup-keys.ts';
import { openingActs, openingEffects } from '#libs/tenant/tenancy-book-opening.ts';
import { policiesAgain, policyActs, policyEffects } from '#libs/tenant/tenancy-book-policies.ts';
import { profileActs, profileEffects } from '#libs/tenant/tenancy-book-profile.ts';
import { derived } from '#libs/tenant/tenancy-book-rows.ts';
import { decodeBook, encodeBook } from '#libs/tenant/tenancy-book-snapshot.ts';
import { type Effects, type TenancyAct, type TenancyBook, withFact } from '#libs/tenant/tenancy-book-state.ts';

const acts: Readonly<Record<string, TenancyAct>> = {
  ...openingActs,
  ...configurationActs,
  ...lookupKeyActs,
  ...policyActs,
  ...profileActs,
};
const effects: Effects = {
  ...openingEffects,
  ...configurationEffects,
  ...lookupKeyEffects,
  ...policyEffects,
  ...profileEffects,
};

export function tenancyKind(markets: Markets = MARKETS): BookDecider<TenancyBook> {
  return {
    empty: (tenantId) => ({
      tenantId,
      keys: new Map(),
      configurations: NO_CONFIGURATIONS,
      lookupKeys: NO_LOOKUP_KEYS,
      policies: noPolicies,
    }),
    decide(book, submission, at) {
      const act = acts[submission.operation];
      if (act === undefined) throw new Error(`${submission.operation} is nothing a Tenancy's book decides`);
      if (book.tenancy === undefined && submission.operation !== 'openTenancy') return refuse('not_found');
      return act(book, submission, { at, markets });
    },
    currentRecord(book, submission, recorded) {
      const again = policiesAgain[submission.operation];
      if (again === undefined) throw new Error(`${submission.operation} takes no reference`);
      return { status: 200, body: again(book, recorded) };
    },
    replay: (book, fact) => withFact(effects, book, fact),
    encode: encodeBook,
    decode: decodeBook,
    derive: (before, after) => derived(before, after, markets),
  };
}
