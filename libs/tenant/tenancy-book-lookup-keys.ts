/** Lookup keys in the Tenancy's book: what `lookup-keys.ts` decides, as facts and answers. */
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  pointLookupKey as decidePointing,
  removeLookupKey as decideRemoval,
  type HeldKey,
  type LookupKeyFact,
  lookupKeyAnswer,
  namedBy,
  withLookupKeyFact,
} from '#libs/tenant/lookup-keys.ts';
import {
  type Apply,
  type Effects,
  type TenancyAct,
  type TenancyBook,
  tenancyFact,
  withFacts,
} from '#libs/tenant/tenancy-book-state.ts';

const pointLookupKey: TenancyAct = (book, { body, params }, { at }) => {
  const lookupKey = String(params['lookup_key']);
  const decided = decidePointing(book.lookupKeys, book.configurations, {
    lookupKey,
    pointing: {
      configurationId: String(body['configuration_id']),
      configurationVersion: Number(body['configuration_version']),
    },
    transfer: body['transfer'] === true,
  });
  if (isRefusal(decided)) return decided;
  const { fact, status } = decided;
  const facts = fact === undefined ? [] : [tenancyFact(fact.kind, fact)];
  const after = withFacts(lookupKeyEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status, body: keyText(after, heldKey(after, lookupKey)) }) };
};

/** Answered with the key as it last read. */
const removeLookupKey: TenancyAct = (book, { params }, { at }) => {
  const lookupKey = String(params['lookup_key']);
  const fact = decideRemoval(book.lookupKeys, lookupKey);
  if (isRefusal(fact)) return fact;
  const facts = [tenancyFact(fact.kind, fact)];
  const after = withFacts(lookupKeyEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 200, body: keyText(book, heldKey(book, lookupKey)) }) };
};

export const lookupKeyActs = { pointLookupKey, removeLookupKey };

const apply: Apply = (book, fact: LookupKeyFact, recordedAt) => ({
  ...book,
  lookupKeys: withLookupKeyFact(book.lookupKeys, fact, recordedAt),
});

export const lookupKeyEffects: Effects = { lookup_key_pointed: apply, lookup_key_removed: apply };

function heldKey({ lookupKeys }: TenancyBook, lookupKey: string): HeldKey {
  const held = namedBy(lookupKeys, lookupKey);
  if (held === undefined) throw new Error(`${lookupKey} is not in the book it was pointed in`);
  return held;
}

function keyText(book: TenancyBook, held: HeldKey): string {
  return JSON.stringify(lookupKeyAnswer(held, book, { withVersion: true }));
}
