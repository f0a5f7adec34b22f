/**
 * The Tenancy's own book: that it was opened, its bounds, its keys, its product configurations, its credit policies. A book
 * like a Client's, with its turn, its facts and its snapshots. Pure.
 */
import { refuse } from '#libs/contract/refusals.ts';
import { noPolicies } from '#libs/credit/lifecycle.ts';
import type { Markets } from '#libs/markets/market.ts';
import { MARKETS } from '#libs/markets/registry.ts';
import { NO_CONFIGURATIONS } from '#libs/tenancy/configurations.ts';
import { configurationActs, configurationEffects } from '#libs/tenancy/tenancy-book-configurations.ts';
import { openingActs, openingEffects } from '#libs/tenancy/tenancy-book-opening.ts';
import { policiesAgain, policyActs, policyEffects } from '#libs/tenancy/tenancy-book-policies.ts';
import { derived } from '#libs/tenancy/tenancy-book-rows.ts';
import { decodeBook, encodeBook } from '#libs/tenancy/tenancy-book-snapshot.ts';
import { type Effects, type TenancyAct, type TenancyBook, withFact } from '#libs/tenancy/tenancy-book-state.ts';
import type { BookKind } from '#libs/turn/book-kind.ts';

const acts: Readonly<Record<string, TenancyAct>> = { ...openingActs, ...configurationActs, ...policyActs };
const effects: Effects = { ...openingEffects, ...configurationEffects, ...policyEffects };

export function tenancyKind(markets: Markets = MARKETS): BookKind<TenancyBook> {
  return {
    empty: (tenantId) => ({ tenantId, keys: new Map(), configurations: NO_CONFIGURATIONS, policies: noPolicies }),
    decide(book, submission, at) {
      const act = acts[submission.operation];
      if (act === undefined) throw new Error(`${submission.operation} is nothing a Tenancy's book decides`);
      if (book.tenancy === undefined && submission.operation !== 'openTenancy') return refuse('not_found');
      return act(book, submission, { at, markets });
    },
    answerAgain(book, submission, recorded) {
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
