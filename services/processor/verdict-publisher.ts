/** Tells those who wait what came of their submissions, as soon as it is committed. */
import type { Redis } from 'ioredis';
import type { VerdictRow } from '#libs/database/commit-batch.ts';
import type { Database } from '#libs/database/database.ts';
import { keysChannel } from '#libs/database/key-watch.ts';
import { feedChannel } from '#libs/database/read-feed.ts';
import { encodeVerdicts, keepVerdicts, type Verdict as Spoken, verdictChannel } from '#libs/database/verdicts.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import { isReady } from '#libs/redis/redis.ts';
import { answerInTime } from '#libs/redis/redis-timeout.ts';
import type { Verdict } from './verdict.ts';

interface Outgoing {
  readonly ingress: string;
  readonly partition: number;
  readonly spoken: Spoken[];
}

export class VerdictPublisher {
  readonly #redis: Redis;
  readonly #database: Database;
  readonly #say: WarnLog;

  constructor(redis: Redis, database: Database, say: WarnLog) {
    this.#redis = redis;
    this.#database = database;
    this.#say = say;
  }

  /** With Redis away the verdicts are committed with their batch. */
  rowsIfAway(verdicts: readonly Verdict[]): VerdictRow[] {
    return isReady(this.#redis) ? [] : rowsOf(verdicts);
  }

  /** Nobody waits for this: a verdict that is lost is asked of the table, and after that of the book itself. */
  async tell(verdicts: readonly Verdict[]): Promise<void> {
    render(verdicts);
    for (const { fault } of verdicts) {
      if (fault !== undefined) this.#say.error({ err: fault }, 'what was decided could not be told');
    }
    if (!isReady(this.#redis)) return keepVerdicts(this.#database, rowsOf(verdicts));
    const byIngress = new Map<string, Verdict[]>();
    for (const verdict of verdicts) {
      const { ingress } = verdict.record;
      const together = byIngress.get(ingress);
      if (together === undefined) byIngress.set(ingress, [verdict]);
      else together.push(verdict);
    }
    await Promise.all([...byIngress].map(([ingress, together]) => this.#publish(ingress, together)));
  }

  /** The key rings look again at once; told or not, they look by themselves. */
  tellKeysChanged(): void {
    if (isReady(this.#redis)) this.#redis.publish(keysChannel, '').catch(() => undefined);
  }

  /** Who follows the feed of one of these looks at once; told or not, they look by themselves. */
  tellFed(tenantIds: readonly string[]): void {
    if (isReady(this.#redis)) this.#redis.publish(feedChannel, tenantIds.join(' ')).catch(() => undefined);
  }

  async #publish(ingress: string, verdicts: readonly Verdict[]): Promise<void> {
    try {
      const text = encodeVerdicts(verdicts.map((verdict) => verdict.say()));
      // One that hangs is left alone: those who wait are told through the table, whether or not it says this after all.
      const heard = await answerInTime(this.#redis, this.#redis.publish(verdictChannel(ingress), text));
      if (heard > 0) return;
    } catch (cause) {
      this.#say.warn({ err: cause, ingress }, 'verdicts could not be published and go through the table');
    }
    await keepVerdicts(this.#database, rowsOf(verdicts));
  }
}

/** Done while the store is at work on the batch, so that the answers are ready when it is. */
export function render(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) verdict.say();
}

function rowsOf(verdicts: readonly Verdict[]): VerdictRow[] {
  const byRecord = new Map<object, Outgoing>();
  for (const verdict of verdicts) {
    const { record, partition } = verdict;
    const outgoing = byRecord.get(record) ?? { ingress: record.ingress, partition, spoken: [] };
    outgoing.spoken.push(verdict.say());
    byRecord.set(record, outgoing);
  }
  return [...byRecord.values()].map(({ partition, spoken }) => ({
    requestId: spoken[0]?.requestId ?? '',
    partition,
    verdict: encodeVerdicts(spoken),
  }));
}
