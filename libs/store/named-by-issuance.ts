/** What an issuance names that never changes, looked up where it comes in and told to the book that decides it. */
import type { JsonObject } from '#libs/contract/json.ts';
import type { Locations } from './locations.ts';

/** JSON. The version is immutable; that it is not there yet may change, and is told as null. */
export async function statedConfiguration(
  { configuration }: Locations,
  tenantId: string,
  body: JsonObject,
): Promise<string> {
  const name = `${body['configuration_id']}/${body['configuration_version']}`;
  return (await configuration.of(tenantId, name)) ?? 'null';
}

/** JSON: the configuration version, and the facility whoever's it is: another Client's is refused as such. */
export async function namedByIssuance(locations: Locations, tenantId: string, body: JsonObject): Promise<string> {
  const named = body['facility_id'];
  const [configuration, facility] = await Promise.all([
    statedConfiguration(locations, tenantId, body),
    typeof named === 'string' ? locations.facility.of(tenantId, named.toLowerCase()) : undefined,
  ]);
  return `{"configuration":${configuration},"facility":${facility?.row ?? 'null'}}`;
}
