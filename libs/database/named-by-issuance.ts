/** What an issuance names that never changes, looked up where it comes in and told to the book that decides it. */
import type { JsonObject } from '#libs/schema/json.ts';
import type { Locations } from './locations.ts';
import type { Watch } from './reading.ts';

interface Stated {
  readonly tenantId: string;
  readonly body: JsonObject;
}

/** JSON. The version is immutable; that it is not there yet may change, and is told as null. */
export async function statedConfiguration(
  { configuration }: Locations,
  { tenantId, body }: Stated,
  watch?: Watch,
): Promise<string> {
  const name = `${body['configuration_id']}/${body['configuration_version']}`;
  return (await configuration.of(tenantId, name, watch)) ?? 'null';
}

/**
 * JSON: the configuration version, and the facility whoever's it is: another Client's is refused as such. One after the
 * other, so that what they took adds up; both are remembered once they were found.
 */
export async function namedByIssuance(locations: Locations, stated: Stated, watch?: Watch): Promise<string> {
  const named = stated.body['facility_id'];
  const configuration = await statedConfiguration(locations, stated, watch);
  const facility =
    typeof named === 'string' ? await locations.facility.of(stated.tenantId, named.toLowerCase(), watch) : undefined;
  return `{"configuration":${configuration},"facility":${facility?.row ?? 'null'}}`;
}
