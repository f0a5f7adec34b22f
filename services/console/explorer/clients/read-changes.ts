/** Reads what differs between two versions of a Client's book. */

import type { Request } from 'express';
import { parseDay } from '#libs/calendar/civil-day.ts';
import type { BookChanges, RefusalDetails } from '#libs/sdk/src/contract/shapes.ts';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import { asTimestamp, type Clocks } from '../../clocks.ts';
import { queryText } from '../../form.ts';
import { type ClientReads, readBookSize } from './read-client.ts';

export interface ChangesView {
  /** The number of facts in the latest version. */
  readonly latest: number;
  readonly from: string;
  readonly to: string;
  readonly changes: BookChanges | undefined;
  /** The moments whose versions are compared; empty where versions were stated. */
  readonly since: string;
  readonly until: string;
  readonly problem?: { readonly code: string; readonly details: RefusalDetails };
  /** The versions cannot be found by a moment, because the book is too large to be read as of that moment. */
  readonly isMomentRefused: boolean;
  /** The book is too large to compare these versions on a page. */
  readonly isTooLarge: boolean;
  /** By id: how people know the newest Loans of the Client. */
  readonly references: ReadonlyMap<string, string>;
}

/**
 * Seven reads at most. Without stated versions: what changed since the moment up to which facts are known, or what the last
 * fact changed.
 */
export async function readChangesView(
  { api, parts, tenantId }: ClientReads,
  clientId: string,
  clocks: Clocks,
  request: Request,
): Promise<ChangesView> {
  const { version, isBounded, loans } = await readBookSize(api, clientId);
  const references = new Map(loans.map(({ id, reference }) => [id, reference]));
  const latest = version.facts;
  const stated = { from: queryText(request, 'from_facts'), to: queryText(request, 'to_facts') };
  const isByVersion = stated.from !== '' || stated.to !== '';
  const factAt = asTimestamp(queryText(request, 'fact_at'));
  const since = asTimestamp(queryText(request, 'since')) || (isByVersion ? '' : (clocks.knownAt ?? ''));
  const until = asTimestamp(queryText(request, 'until'));
  const isByMoment = factAt !== '' || since !== '';
  const factsKnownAt = async (moment: string): Promise<number> => {
    const book = await api.readClientBook({ client_id: clientId, on: clocks.on, known_at: moment });
    return book.book_version.facts;
  };
  if (isByMoment && isBounded) {
    if (factAt !== '') {
      const fact = await factsKnownAt(factAt);
      stated.to = String(fact);
      stated.from = String(Math.max(0, fact - 1));
    } else {
      stated.from = String(await factsKnownAt(since));
      stated.to = String(until === '' ? latest : await factsKnownAt(until));
    }
  }
  const to = stated.to === '' ? String(latest) : stated.to;
  const from = stated.from === '' ? String(Math.max(0, Number(to) - 1)) : stated.from;
  const isMomentRefused = isByMoment && !isBounded;
  const moments = { since: isMomentRefused ? '' : since, until, isMomentRefused };
  const view = { latest, from, to, ...moments, isTooLarge: false, references };
  const range = { from_facts: Number(from), to_facts: Number(to) };
  const day = parseDay(clocks.on);
  // What is no day or no version is refused by the API.
  if (day !== undefined && [from, to].every((text) => /^\d{1,9}$/.test(text))) {
    const versions = { tenantId, clientId, fromFacts: range.from_facts, toFacts: range.to_facts };
    if (!(await parts.isComparable(versions, day))) return { ...view, changes: undefined, isTooLarge: true };
  }
  try {
    return { ...view, changes: await api.readChanges({ client_id: clientId, on: clocks.on, ...range }) };
  } catch (error) {
    if (!(error instanceof RefusalError) || error.status >= 500 || error.status === 404) throw error;
    return { ...view, changes: undefined, problem: { code: error.code, details: error.details } };
  }
}
