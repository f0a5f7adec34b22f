/**
 * The Tenancy's product configurations: their identifiers and lookup keys, creation, new versions and answers. A version
 * states all values and never changes; a Loan keeps the version it was issued under.
 */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { checkFrame, deriveValues } from '#libs/product/frame.ts';

import type { Market } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { object, required } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { anyProductValues, grammars, isLookupKey, oneOf } from '#libs/schema/scalars.ts';
import type { Infer } from '#libs/schema/schema.ts';

export interface ConfigurationVersion {
  /** As sent, so that rates are answered in the form in which they were sent. */
  readonly values: JsonObject;
  readonly recordedAt: Moment;
}

export interface Configuration {
  readonly id: string;
  readonly archetype: Archetype;
  /** Version n has index n - 1. */
  readonly versions: readonly ConfigurationVersion[];
}

/** By identifier, in the order of creation. Configurations are never removed, so the size is their count. */
export type Configurations = ReadonlyMap<string, Configuration>;

export const NO_CONFIGURATIONS: Configurations = new Map();

export const configurationBody = object({
  archetype: required(oneOf(enumerations.archetype)),
  values: required(anyProductValues),
});
export type ConfigurationBody = Infer<typeof configurationBody>;

/** A version states all values; its archetype is that of the configuration. */
export const configurationVersionBody = object({ values: required(anyProductValues) });
export type ConfigurationVersionBody = Infer<typeof configurationVersionBody>;

export interface ConfigurationCreated extends ConfigurationBody {
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

const identifierPrefixes: { readonly [archetype in Archetype]: string } = {
  instalment: 'ins',
  bnpl: 'bnp',
  payday: 'pay',
};

/** An identifier has six digits. */
const maxConfigurations = 999_999;

/** The count is one per Tenancy, over all archetypes, from 1. */
export function composeIdentifier(archetype: Archetype, count: number): string {
  return `${identifierPrefixes[archetype]}-${String(count).padStart(6, '0')}`;
}

export function isConfigurationId(text: string): boolean {
  return /^(?:ins|bnp|pay)-[0-9]{6}$/.test(text);
}

/** A lookup key must not look like an identifier, because a path accepts either. */
export function checkLookupKey(key: string): Refusal | undefined {
  if (isLookupKey(key)) return undefined;
  return refuse('invalid_identifier', { field: 'lookup_key', bound: grammars.lookupKey, observed: key });
}

/** A refused creation uses no number. */
export function createConfiguration(
  configurations: Configurations,
  { archetype, values }: ConfigurationBody,
  home: Market,
): Refusal | ConfigurationCreated {
  const checked = checkFrame({ archetype, values, market: home });
  if (isRefusal(checked)) return checked;
  const count = configurations.size + 1;
  if (count > maxConfigurations) {
    return refuse('inconsistent_values', { field: '/archetype', bound: maxConfigurations, observed: count });
  }
  return { kind: 'configuration_created', id: composeIdentifier(archetype, count), archetype, values };
}

/** What creation would answer, without the members that recording adds. The identifier is not reserved. */
export function previewConfiguration(
  configurations: Configurations,
  body: ConfigurationBody,
  home: Market,
): Refusal | JsonObject {
  const created = createConfiguration(configurations, body, home);
  if (isRefusal(created)) return created;
  const { id, archetype, values } = created;
  return { id, archetype, values, ...derivedMembers(archetype, values, home) };
}

export function createVersion(
  configurations: Configurations,
  { id, values }: { readonly id: string; readonly values: JsonObject },
  home: Market,
): Refusal | ConfigurationVersioned {
  const configuration = configurations.get(id);
  if (configuration === undefined) return refuse('no_configuration', { observed: id });
  const checked = checkFrame({ archetype: configuration.archetype, values, market: home });
  if (isRefusal(checked)) return checked;
  return { kind: 'configuration_version', id, version: configuration.versions.length + 1, values };
}

/** Returns a copy, so that a batch can be rolled back by dropping it. */
export function applyConfigurationFact(
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
    throw new Error(
      `version ${fact.version} of ${fact.id} does not follow version ${before?.versions.length ?? 'none'}; expected consecutive versions`,
    );
  }
  return { ...before, versions: [...before.versions, version] };
}

/** A version by its number, if it exists. */
export function versionOf(configuration: Configuration | undefined, version: number): ConfigurationVersion | undefined {
  return configuration?.versions[version - 1];
}

export interface VersionSelection {
  readonly tenantId: string;
  readonly configuration: Configuration;
  readonly version: number;
}

/** The version as it was recorded, without derived members. */
export function versionAnswer({
  tenantId,
  configuration,
  version,
}: VersionSelection): JsonObject & { readonly values: JsonObject } {
  const { id, archetype } = configuration;
  const recorded = versionOf(configuration, version);
  if (recorded === undefined) throw new Error(`${id} has no version ${version}`);
  const { values, recordedAt } = recorded;
  return { id, tenant_id: tenantId, archetype, created_at: formatMoment(recordedAt), version, values };
}

/** A version with `effective` and `advisories` under the Tenancy's home market. */
export function configurationAnswer(selection: VersionSelection, home: Market): JsonObject {
  const answer = versionAnswer(selection);
  return { ...answer, ...derivedMembers(selection.configuration.archetype, answer.values, home) };
}

function derivedMembers(archetype: Archetype, values: JsonObject, home: Market): JsonObject {
  const { effective, advisories } = deriveValues({ archetype, values, market: home });
  return { effective, advisories };
}
