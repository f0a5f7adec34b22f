/** The addresses of a cell for commands that log in to its databases as the owner of their tables. */
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting, partitionOwnerUrlsSetting } from '#libs/runtime/connection-settings.ts';
import type { CellToPrepare } from './prepare.ts';

export type OwnedCell = Required<CellToPrepare> & { readonly redisUrl: string };

const settings = { ...backingSettings, owner: ownerUrlSetting, partitionOwnerUrls: partitionOwnerUrlsSetting };

/** A database without a login of its owner is used with the login of the services. */
export function readOwnedCell(): OwnedCell {
  const { databaseUrl, owner, partitionDatabaseUrls, partitionOwnerUrls, ...rest } = readConfig(process.env, settings);
  const partitionDatabases = new Map(
    [...partitionDatabaseUrls].map(([name, servicesUrl]) => [
      name,
      { ownerUrl: partitionOwnerUrls.get(name) ?? servicesUrl, servicesUrl },
    ]),
  );
  return { ...rest, databaseUrl: owner ?? databaseUrl, servicesDatabaseUrl: databaseUrl, partitionDatabases };
}
