/**
 * Lookup keys: a lender's own name for a configuration version. The history of a key is kept; the key names what its last
 * entry says.
 */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type Configurations, checkLookupKey, versionAnswer, versionOf } from '#libs/product/configurations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface LookupKeyTarget {
  readonly configurationId: string;
  readonly configurationVersion: number;
}

/** One entry of a key's history. Without a `pointing` the key was removed. */
export interface LookupKeyEntry {
  readonly pointing?: LookupKeyTarget;
  readonly recordedAt: Moment;
}

/** By key, oldest entry first. */
export type LookupKeys = ReadonlyMap<string, readonly LookupKeyEntry[]>;

export const NO_LOOKUP_KEYS: LookupKeys = new Map();

export interface LookupKeyPointed {
  readonly kind: 'lookup_key_pointed';
  readonly lookup_key: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface LookupKeyRemoved {
  readonly kind: 'lookup_key_removed';
  readonly lookup_key: string;
}

export type LookupKeyFact = LookupKeyPointed | LookupKeyRemoved;

/** Without a fact the key names that version already, and nothing is recorded. */
export interface PointingDecision {
  readonly status: 200 | 201;
  readonly fact?: LookupKeyPointed;
}

export interface PointingRequest {
  readonly lookupKey: string;
  readonly target: LookupKeyTarget;
  /** Whether a key that names another version may be moved. */
  readonly transfer: boolean;
}

export function decidePointing(
  keys: LookupKeys,
  configurations: Configurations,
  { lookupKey, target, transfer }: PointingRequest,
): Refusal | PointingDecision {
  const { configurationId, configurationVersion } = target;
  const invalidName = checkLookupKey(lookupKey);
  if (invalidName !== undefined) return invalidName;
  if (versionOf(configurations.get(configurationId), configurationVersion) === undefined) {
    return refuse('no_configuration', { observed: `${configurationId} version ${configurationVersion}` });
  }
  const fact: LookupKeyPointed = {
    kind: 'lookup_key_pointed',
    lookup_key: lookupKey,
    configuration_id: configurationId,
    configuration_version: configurationVersion,
  };
  const current = findLookupKey(keys, lookupKey)?.target;
  if (current === undefined) return { status: 201, fact };
  if (current.configurationId === configurationId && current.configurationVersion === configurationVersion) {
    return { status: 200 };
  }
  if (transfer) return { status: 200, fact };
  return refuse('lookup_key_taken', {
    recorded_id: current.configurationId,
    recorded_value: current.configurationVersion,
    stated_value: configurationVersion,
  });
}

export function decideRemoval(keys: LookupKeys, lookupKey: string): Refusal | LookupKeyRemoved {
  if (findLookupKey(keys, lookupKey) === undefined) {
    return refuse('not_found', { field: 'lookup_key', observed: lookupKey });
  }
  return { kind: 'lookup_key_removed', lookup_key: lookupKey };
}

export function withLookupKeyFact(keys: LookupKeys, fact: LookupKeyFact, recordedAt: Moment): LookupKeys {
  const entry: LookupKeyEntry =
    fact.kind === 'lookup_key_removed'
      ? { recordedAt }
      : {
          pointing: { configurationId: fact.configuration_id, configurationVersion: fact.configuration_version },
          recordedAt,
        };
  return new Map(keys).set(fact.lookup_key, [...(keys.get(fact.lookup_key) ?? []), entry]);
}

export interface LookupKey {
  readonly lookupKey: string;
  readonly target: LookupKeyTarget;
  readonly pointedAt: Moment;
}

/** Undefined where the key was not pointed at anything or is removed. */
export function findLookupKey(keys: LookupKeys, lookupKey: string): LookupKey | undefined {
  const last = keys.get(lookupKey)?.at(-1);
  if (last?.pointing === undefined) return undefined;
  return { lookupKey, target: last.pointing, pointedAt: last.recordedAt };
}

/** The keys that name a version, sorted by key. With `names`, only those of them. */
export function lookupKeysInUse(keys: LookupKeys, names: Iterable<string> = keys.keys()): readonly LookupKey[] {
  return [...new Set(names)].sort().flatMap((lookupKey) => findLookupKey(keys, lookupKey) ?? []);
}

/** The keys that name a version of the configuration, sorted by key. */
export function lookupKeysOf(keys: LookupKeys, configurationId: string): readonly LookupKey[] {
  const names = [...keys].filter(([, entries]) => entries.at(-1)?.pointing?.configurationId === configurationId);
  return lookupKeysInUse(
    keys,
    names.map(([name]) => name),
  );
}

export function lookupKeyAnswer(
  { lookupKey, target, pointedAt }: LookupKey,
  { tenantId, configurations }: { readonly tenantId: string; readonly configurations: Configurations },
  { withVersion }: { readonly withVersion: boolean },
): JsonObject {
  const { configurationId, configurationVersion } = target;
  const configuration = configurations.get(configurationId);
  if (configuration === undefined) {
    throw new Error(`lookup key ${lookupKey} names configuration ${configurationId}, which is not in its book`);
  }
  return {
    lookup_key: lookupKey,
    configuration_id: configurationId,
    configuration_version: configurationVersion,
    pointed_at: formatMoment(pointedAt),
    latest_version: configuration.versions.length,
    ...(withVersion ? { version: versionAnswer({ tenantId, configuration, version: configurationVersion }) } : {}),
  };
}
