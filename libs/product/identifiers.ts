/** The names of a Tenancy's products: identifiers the service composes, and keys the lender chooses. Pure. */
import type { Archetype } from '#libs/product/terms.ts';
import { grammars, isLookupKey } from '#libs/schema/form.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

const PREFIXES: { readonly [archetype in Archetype]: string } = { instalment: 'ins', bnpl: 'bnp', payday: 'pay' };

/** Six digits: a Tenancy composes no more identifiers than these can tell apart. */
export const MOST_CONFIGURATIONS = 999_999;

/** One count per Tenancy runs over the three prefixes, from 1. */
export function composeIdentifier(archetype: Archetype, count: number): string {
  return `${PREFIXES[archetype]}-${String(count).padStart(6, '0')}`;
}

const COMPOSED = /^(ins|bnp|pay)-[0-9]{6}$/;

export function isConfigurationId(text: string): boolean {
  return COMPOSED.test(text);
}

/** A key that could be taken for an identifier would make two readings of one word, so no such key is ever pointed. */
export function checkLookupKey(key: string): Refusal | undefined {
  if (isLookupKey(key)) return undefined;
  return refuse('invalid_identifier', { field: 'lookup_key', bound: grammars.lookupKey, observed: key });
}
