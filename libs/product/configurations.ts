/**
 * The Tenancy's product configurations: what creating one and writing a new version decide, and how they read. A
 * version is stated whole and never changes; a Loan keeps the one it was issued under. Pure.
 */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { checkFrame, framedOf } from '#libs/product/frame.ts';
import { composeIdentifier, MOST_CONFIGURATIONS } from '#libs/product/identifiers.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface ConfigurationVersion {
  /** As stated: rates read back in the form they were written in. */
  readonly values: JsonObject;
  readonly recordedAt: Moment;
}

export interface Configuration {
  readonly id: string;
  readonly archetype: Archetype;
  /** Version n stands at n - 1. */
  readonly versions: readonly ConfigurationVersion[];
}

/** In the order of creation, by identifier. The count of identifiers is its size: none is ever taken back. */
export type Configurations = ReadonlyMap<string, Configuration>;

export const NO_CONFIGURATIONS: Configurations = new Map();

export interface CreationBody {
  readonly archetype: Archetype;
  readonly values: JsonObject;
}

export interface ConfigurationCreated extends CreationBody {
  readonly kind: 'configuration_created';
  readonly id: string;
}

export interface ConfigurationVersioned {
  readonly kind: 'configuration_version';
  readonly id: string;
  readonly version: number;
  readonly values: JsonObject;
}

export type ConfigurationFact = ConfigurationCreated | ConfigurationVersioned;

/** A refused creation takes no number. */
export function createConfiguration(
  configurations: Configurations,
  { archetype, values }: CreationBody,
  home: Market,
): Refusal | ConfigurationCreated {
  const framed = checkFrame({ archetype, values, market: home });
  if (isRefusal(framed)) return framed;
  const count = configurations.size + 1;
  if (count > MOST_CONFIGURATIONS) {
    return refuse('inconsistent_values', { field: '/archetype', bound: MOST_CONFIGURATIONS, observed: count });
  }
  return { kind: 'configuration_created', id: composeIdentifier(archetype, count), archetype, values };
}

/** What creation would answer, but for what only recording gives. The identifier is not reserved. */
export function previewConfiguration(
  configurations: Configurations,
  body: CreationBody,
  home: Market,
): Refusal | JsonObject {
  const created = createConfiguration(configurations, body, home);
  if (isRefusal(created)) return created;
  const { id, archetype, values } = created;
  return { id, archetype, values, ...readFrame(archetype, values, home) };
}

export function writeVersion(
  configurations: Configurations,
  { id, values }: { readonly id: string; readonly values: JsonObject },
  home: Market,
): Refusal | ConfigurationVersioned {
  const configuration = configurations.get(id);
  if (configuration === undefined) return refuse('no_configuration', { observed: id });
  const framed = checkFrame({ archetype: configuration.archetype, values, market: home });
  if (isRefusal(framed)) return framed;
  return { kind: 'configuration_version', id, version: configuration.versions.length + 1, values };
}

/** An old value stays as it was, so a batch that is rolled back drops the new one and nothing else. */
export function withConfigurationFact(
  configurations: Configurations,
  fact: ConfigurationFact,
  recordedAt: Moment,
): Configurations {
  const version: ConfigurationVersion = { values: fact.values, recordedAt };
  return new Map(configurations).set(fact.id, configurationAfter(configurations.get(fact.id), fact, version));
}

function configurationAfter(
  before: Configuration | undefined,
  fact: ConfigurationFact,
  version: ConfigurationVersion,
): Configuration {
  if (fact.kind === 'configuration_created') return { id: fact.id, archetype: fact.archetype, versions: [version] };
  if (before === undefined || before.versions.length + 1 !== fact.version) {
    throw new Error(`version ${fact.version} of ${fact.id} does not follow what is recorded`);
  }
  return { ...before, versions: [...before.versions, version] };
}

/** A version by its number, where it exists. */
export function versionOf(configuration: Configuration | undefined, version: number): ConfigurationVersion | undefined {
  return configuration?.versions[version - 1];
}

export interface Reading {
  readonly tenantId: string;
  readonly configuration: Configuration;
  readonly version: number;
}

/** The version as it is read beside a lookup key: what was recorded, and nothing derived from it. */
export function versionAnswer({ tenantId, configuration, version }: Reading): JsonObject {
  const { id, archetype } = configuration;
  const recorded = versionOf(configuration, version);
  if (recorded === undefined) throw new Error(`${id} has no version ${version}`);
  const { values, recordedAt } = recorded;
  return { id, tenant_id: tenantId, archetype, created_at: formatMoment(recordedAt), version, values };
}

/** The whole configuration at one of its versions, `effective` and `advisories` under the Tenancy's home market. */
export function configurationAnswer(reading: Reading, home: Market): JsonObject {
  const answer = versionAnswer(reading);
  return { ...answer, ...readFrame(reading.configuration.archetype, answer['values'] as JsonObject, home) };
}

/** The latest versions, newest first: a new version does not move its configuration in the listing. */
export function latestVersions(configurations: Configurations): readonly Omit<Reading, 'tenantId'>[] {
  return [...configurations.values()]
    .reverse()
    .map((configuration) => ({ configuration, version: configuration.versions.length }));
}

function readFrame(archetype: Archetype, values: JsonObject, home: Market): { effective: Json; advisories: Json } {
  const { effective, advisories } = framedOf({ archetype, values, market: home });
  return { effective: effective as unknown as JsonObject, advisories: advisories as unknown as Json };
}
