/**
 * Lookup keys: a lender's own word for the version that is being sold. Every pointing and removal is kept; what a key
 * names now is the last of them. Pure.
 */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type Configurations, versionAnswer, versionOf } from '#libs/product/configurations.ts';
import { checkLookupKey } from '#libs/product/identifiers.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface Pointing {
  readonly configurationId: string;
  readonly configurationVersion: number;
}

/** One entry of a key's history; without a pointing the key was removed. */
export interface KeyEntry {
  readonly pointing?: Pointing;
  readonly recordedAt: Moment;
}

/** Oldest first, by key. */
export type LookupKeys = ReadonlyMap<string, readonly KeyEntry[]>;

export const NO_LOOKUP_KEYS: LookupKeys = new Map();

export interface KeyPointed {
  readonly kind: 'lookup_key_pointed';
  readonly lookup_key: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface KeyRemoved {
  readonly kind: 'lookup_key_removed';
  readonly lookup_key: string;
}

export type LookupKeyFact = KeyPointed | KeyRemoved;

/** Without a fact the key names that version already, and nothing is recorded. */
export interface Pointed {
  readonly status: 200 | 201;
  readonly fact?: KeyPointed;
}

export interface PointingRequest {
  readonly lookupKey: string;
  readonly pointing: Pointing;
  readonly transfer: boolean;
}

export function pointLookupKey(
  keys: LookupKeys,
  configurations: Configurations,
  { lookupKey, pointing, transfer }: PointingRequest,
): Refusal | Pointed {
  const { configurationId, configurationVersion } = pointing;
  const illNamed = checkLookupKey(lookupKey);
  if (illNamed !== undefined) return illNamed;
  if (versionOf(configurations.get(configurationId), configurationVersion) === undefined) {
    return refuse('no_configuration', { observed: `${configurationId} version ${configurationVersion}` });
  }
  const fact: KeyPointed = {
    kind: 'lookup_key_pointed',
    lookup_key: lookupKey,
    configuration_id: configurationId,
    configuration_version: configurationVersion,
  };
  const named = namedBy(keys, lookupKey)?.pointing;
  if (named === undefined) return { status: 201, fact };
  if (named.configurationId === configurationId && named.configurationVersion === configurationVersion) {
    return { status: 200 };
  }
  if (transfer) return { status: 200, fact };
  return refuse('lookup_key_taken', {
    recorded_id: named.configurationId,
    recorded_value: named.configurationVersion,
    stated_value: configurationVersion,
  });
}

export function removeLookupKey(keys: LookupKeys, lookupKey: string): Refusal | KeyRemoved {
  if (namedBy(keys, lookupKey) === undefined) return refuse('not_found', { field: 'lookup_key', observed: lookupKey });
  return { kind: 'lookup_key_removed', lookup_key: lookupKey };
}

/** An old value stays as it was, and no entry is ever rewritten. */
export function withLookupKeyFact(keys: LookupKeys, fact: LookupKeyFact, recordedAt: Moment): LookupKeys {
  const entry: KeyEntry =
    fact.kind === 'lookup_key_removed'
      ? { recordedAt }
      : {
          pointing: { configurationId: fact.configuration_id, configurationVersion: fact.configuration_version },
          recordedAt,
        };
  return new Map(keys).set(fact.lookup_key, [...(keys.get(fact.lookup_key) ?? []), entry]);
}

export interface HeldKey {
  readonly lookupKey: string;
  readonly pointing: Pointing;
  readonly pointedAt: Moment;
}

/** What the key names now; undefined where it was never pointed or is removed. */
export function namedBy(keys: LookupKeys, lookupKey: string): HeldKey | undefined {
  const last = keys.get(lookupKey)?.at(-1);
  if (last?.pointing === undefined) return undefined;
  return { lookupKey, pointing: last.pointing, pointedAt: last.recordedAt };
}

/** Every key held, ordered by key; where some are named exactly those of them that are held. */
export function heldKeys(keys: LookupKeys, named: Iterable<string> = keys.keys()): readonly HeldKey[] {
  return [...new Set(named)].sort().flatMap((lookupKey) => namedBy(keys, lookupKey) ?? []);
}

/** The key as it reads; where it was asked by name with the whole version it names. */
export function lookupKeyAnswer(
  { lookupKey, pointing, pointedAt }: HeldKey,
  { tenantId, configurations }: { readonly tenantId: string; readonly configurations: Configurations },
  { withVersion }: { readonly withVersion: boolean },
): JsonObject {
  const { configurationId, configurationVersion } = pointing;
  const configuration = configurations.get(configurationId);
  if (configuration === undefined) throw new Error(`${lookupKey} names ${configurationId}, which is not recorded`);
  return {
    lookup_key: lookupKey,
    configuration_id: configurationId,
    configuration_version: configurationVersion,
    pointed_at: formatMoment(pointedAt),
    latest_version: configuration.versions.length,
    ...(withVersion ? { version: versionAnswer({ tenantId, configuration, version: configurationVersion }) } : {}),
  };
}
