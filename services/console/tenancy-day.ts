/** The civil day of now at a Tenancy: the day that a dated page shows until another one is chosen. */
import { formatDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { dayInZone } from '#libs/credit/time-zone.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { findTenancy } from '#libs/database/tenancies.ts';

export interface TenancyDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly timeZone: string;
}

/** The service itself assumes no day: it never reads a clock for a figure. */
export async function readTenancyDay(
  databases: PartitionDatabases,
  tenantId: string,
  now = Date.now(),
): Promise<TenancyDay> {
  const tenancy = await findTenancy(databases.ofTenancy(tenantId), tenantId);
  if (tenancy === undefined) throw new Error(`there is no Tenancy ${tenantId}`);
  const { timeZone } = tenancy;
  return { day: formatDay(dayInZone((now * 1_000) as Moment, timeZone)), timeZone };
}
