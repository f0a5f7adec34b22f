/** Tells those who wait what came of their submissions, as soon as it is committed. */
import type { Redis } from 'ioredis';
import { refuse } from '#libs/contract/refusals.ts';
import type { Say } from '#libs/log/kafka.ts';
import type { VerdictRow } from '#libs/store/commit-batch.ts';
import type { Database } from '#libs/store/database.ts';
import { keysChannel } from '#libs/store/key-watch.ts';
import { feedChannel } from '#libs/store/read-feed.ts';
import { isReady } from '#libs/store/redis.ts';
import { encodeVerdicts, keepVerdicts, type Verdict as Spoken, verdictChannel } from '#libs/store/verdicts.ts';
import type { Verdict } from './turn-state.ts';

interface Outgoing {
  readonly ingress: string;
  readonly partition: number;
  readonly spoken: Spoken[];
}

export class Messenger {
  readonly #redis: Redis;
  readonly #database: Database;
  readonly #say: Say;

  constructor(redis: Redis, database: Database, say: Say) {
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
    for (const verdict of verdicts) {
      const fault = faults.get(verdict);
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
      const heard = await this.#redis.publish(verdictChannel(ingress), encodeVerdicts(verdicts.map(spokenOf)));
      if (heard > 0) return;
    } catch (cause) {
      this.#say.warn({ err: cause, ingress }, 'verdicts could not be published and go through the table');
    }
    await keepVerdicts(this.#database, rowsOf(verdicts));
  }
}

const rendered = new WeakMap<Verdict, Spoken>();
/** Of those whose answer could not be rendered. */
const faults = new WeakMap<Verdict, unknown>();

function spokenOf(verdict: Verdict): Spoken {
  const known = rendered.get(verdict);
  if (known !== undefined) return known;
  const { record, item } = verdict;
  const spoken = { requestId: record.request_id, item, outcome: outcomeOf(verdict) };
  rendered.set(verdict, spoken);
  return spoken;
}

/** One that cannot be said is our own fault, and keeps none of the others from being told. */
function outcomeOf(verdict: Verdict): Spoken['outcome'] {
  const { outcome } = verdict;
  if (typeof outcome !== 'function') return outcome;
  try {
    return outcome();
  } catch (fault) {
    faults.set(verdict, fault);
    return refuse('internal_error');
  }
}

/** Done while the store is at work on the batch, so that the answers are ready when it is. */
export function render(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) spokenOf(verdict);
}

function rowsOf(verdicts: readonly Verdict[]): VerdictRow[] {
  const byRecord = new Map<object, Outgoing>();
  for (const verdict of verdicts) {
    const { record, partition } = verdict;
    const outgoing = byRecord.get(record) ?? { ingress: record.ingress, partition, spoken: [] };
    outgoing.spoken.push(spokenOf(verdict));
    byRecord.set(record, outgoing);
  }
  return [...byRecord.values()].map(({ partition, spoken }) => ({
    requestId: spoken[0]?.requestId ?? '',
    partition,
    verdict: encodeVerdicts(spoken),
  }));
}
