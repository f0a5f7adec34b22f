/** `lending audit`: whether everything that is kept follows from what was signed. */

import { openForAudit } from '#libs/database/maintenance-pool.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { openRedis, untilReady } from '#libs/redis/redis.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { type Audited, audit } from '#libs/verify/audit/audit.ts';
import { told } from '#libs/verify/audit/finding.ts';

export type AuditedCell = {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
};

const quiet = { warn: () => undefined, error: () => undefined };

/** A line for each finding, then what was looked at; whether nothing was found. */
export async function auditCell(
  cell: AuditedCell,
  { most, withoutLog }: { readonly most: number; readonly withoutLog: boolean },
  print: (line: string) => void,
): Promise<boolean> {
  const database = openForAudit({ url: cell.databaseUrl, name: 'audit' });
  const redis = openRedis(cell.redisUrl, 'audit');
  try {
    const isThere = await untilReady(redis);
    if (!isThere) print('Redis does not answer: what it holds is not looked at');
    const audited = await audit({
      database,
      kafka: connectKafka(cell.kafkaBrokers, 'audit'),
      schemaRegistryUrl: cell.schemaRegistryUrl,
      kindOf: deciderFor,
      say: quiet,
      ...(isThere ? { cache: new SnapshotCache(redis, deciderFor) } : {}),
      most,
      withoutLog,
    });
    report(audited, print);
    return audited.found === 0 && audited.unread.length === 0;
  } finally {
    redis.disconnect();
    await database.end();
  }
}

function report(audited: Audited, print: (line: string) => void): void {
  const { findings, found, books, facts, decidedAnew, notDecidedAnew, signatures, snapshots, cached, events, unread } =
    audited;
  for (const finding of findings) print(told(finding));
  if (found > findings.length) print(`and ${number(found - findings.length)} more`);
  const looked = [
    `${number(facts)} facts of ${number(books)} books folded`,
    `${number(decidedAnew)} decided anew from their requests`,
    ...(notDecidedAnew === 0 ? [] : [`${number(notDecidedAnew)} not: what they had looked up is not kept any more`]),
    `${number(signatures)} signatures`,
    `${number(snapshots)} snapshots in Postgres and ${number(cached)} in Redis`,
    `${number(events)} events of the topic`,
  ];
  const { seconds } = audited;
  print(`${looked.join(', ')}; ${seconds.toFixed(1)} s, ${number(Math.round(facts / seconds))} facts/s`);
  print(found === 0 ? 'nothing found' : `${number(found)} found`);
  if (unread.length > 0) print(`partitions ${unread.join(', ')} of the topic were not read to their end; audit again`);
}

function number(value: number): string {
  return value.toLocaleString('en');
}
