/** What a shown fact says, held to what the request that is shown with it asked for. */
import { isDeepStrictEqual } from 'node:util';
import { KINDS } from '#libs/ledger/client/acts.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import type { Asked } from './reconstruct-request.ts';

export interface Said {
  readonly kind: string;
  readonly body: JsonObject;
}

/** What an answer is of: one Loan or one Receipt, and its Client. */
export type About = { readonly client_id: string } & ({ readonly loan_id: string } | { readonly receipt: string });

const kinds: { readonly [operation: string]: string } = {
  ...KINDS,
  issueLoan: 'issued',
  retractFact: 'retracted',
  reportReceipt: 'receipt_reported',
  reverseReceipt: 'receipt_reversed',
};

/** What of an issuance is filled in from its product version where it was left out. */
const filled = new Set(['rate', 'penalty_rate']);

export function sayingFault(fact: Said, asked: Asked, about: About): string | undefined {
  if (kinds[asked.operation] !== fact.kind) return 'what was signed records no such fact';
  return namesFault(fact, asked, about) ?? statedFault(fact, asked);
}

/** Only what begins a Loan or a Receipt is signed with its Client. */
export function isBeginning({ kind }: Said): boolean {
  return kind === 'issued' || kind === 'receipt_reported';
}

function namesFault({ kind, body }: Said, { params, body: sent }: Asked, about: About): string | undefined {
  const names: { readonly [name: string]: readonly (Json | undefined)[] } = {
    loan_id: [params['loan_id'], body['loan_id']],
    receipt: kind === 'receipt_reported' ? [sent['reference']] : [params['receipt_reference'], body['receipt']],
    client_id: [sent['client_id']],
  };
  for (const [name, value] of Object.entries(about)) {
    const said = (names[name] ?? []).filter((each) => each !== undefined);
    // What an act on a Loan or a Receipt leaves out is its Client alone.
    const isSilent = said.length === 0 && name !== 'client_id';
    if (isSilent || said.some((each) => each !== value)) return `it is of another ${name} than the answer says`;
  }
  return undefined;
}

/** All that was signed stands wherever the fact says it, under its own name or the one it is kept under, and no more. */
function statedFault({ kind, body }: Said, { body: sent }: Asked): string | undefined {
  const { event_id: _minted, ...own } = body;
  const stated = [body['receipt'], body['act'], body['stated']].filter(isObject);
  const places = [own, ...stated, renamed(body['configuration'])].filter(isObject);
  for (const [name, value] of Object.entries(sent)) {
    const saying = places.filter((place) => Object.hasOwn(place, name));
    if (saying.length === 0 || !saying.every((place) => isDeepStrictEqual(place[name], value))) {
      return `it does not say the ${name} that was signed`;
    }
  }
  const added = stated.flatMap(Object.keys).find((name) => !Object.hasOwn(sent, name) && !isFilled(kind, name));
  return added === undefined ? undefined : `it says ${added}, which was not signed`;
}

function isFilled(kind: string, name: string): boolean {
  return kind === 'issued' && filled.has(name);
}

function renamed(configuration: Json | undefined): Json | undefined {
  if (!isObject(configuration)) return undefined;
  return { configuration_id: configuration['id'] as Json, configuration_version: configuration['version'] as Json };
}
