/** `lending rebuild`: a new database from the topic alone. */

import { dropCachedBooks } from '#libs/database/snapshot-cache.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { openRedis, untilReady } from '#libs/redis/redis.ts';
import { type Rebuilt, rebuild } from '#libs/verify/rebuild/rebuild.ts';
import type { RebuildOptions } from '#libs/verify/rebuild/rebuilding.ts';

export type CellToRebuild = Pick<RebuildOptions, 'ownerUrl' | 'isLost' | 'acceptsDifferences' | 'secretsUrl'> & {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly redisUrl: string;
};

const quiet = { warn: () => undefined, error: () => undefined };

/** Whether the new tables serve now. */
export async function rebuildCell(
  { kafkaBrokers, redisUrl, ...cell }: CellToRebuild,
  print: (line: string) => void,
): Promise<boolean> {
  const kafka = connectKafka(kafkaBrokers, 'rebuild');
  const rebuilt = await rebuild({ ...cell, kafka, say: quiet, progress: print });
  // What Redis holds are books as they were: no reader may find one that says something else.
  const isOther = rebuilt.differences.length > 0 || rebuilt.lost !== undefined;
  if (rebuilt.before !== undefined && isOther) await forgetBooks(redisUrl, print);
  report(rebuilt, print);
  return rebuilt.before !== undefined;
}

async function forgetBooks(redisUrl: string, print: (line: string) => void): Promise<void> {
  const redis = openRedis(redisUrl, 'rebuild');
  try {
    if (await untilReady(redis)) print(`${await dropCachedBooks(redis)} books dropped from Redis`);
    else print('Redis does not answer: flush it before the services are started, it holds books as they were');
  } finally {
    redis.disconnect();
  }
}

function report({ events, seconds, differences, before, lost }: Rebuilt, print: (line: string) => void): void {
  for (const { table, row, serving, rebuilt } of differences) {
    print(`${table} ${row}: serves ${shown(serving)}, rebuilt ${shown(rebuilt)}`);
  }
  print(`${events} facts in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} facts/s`);
  if (lost !== undefined) {
    print(`${lost.submittedAgain} submissions behind the topic's end were submitted again`);
    for (const partition of lost.begunLater) {
      print(`the log of submissions no longer holds what came after the last event of partition ${partition}`);
    }
    for (const name of lost.parked)
      print(`${name} is parked, as lending.parked names it: release it where it had been`);
  }
  if (before === undefined) print('nothing was changed: what serves differs from what the topic says');
  else print(`the new tables serve; what served before is kept as schema ${before}`);
}

const longestShown = 400;

function shown(row: string | null): string {
  if (row === null) return 'nothing';
  return row.length > longestShown ? `${row.slice(0, longestShown)}…` : row;
}
