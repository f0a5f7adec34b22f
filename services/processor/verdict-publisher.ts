/** Sends verdicts to the ingress instances that wait for them: through Redis, or through a table without it. */
import type { Redis } from 'ioredis';
import type { VerdictRow } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import { keysChannel } from '#libs/database/polled-key-ring.ts';
import { feedChannel } from '#libs/database/read-feed.ts';
import {
  encodeVerdicts,
  insertVerdicts,
  type VerdictMessage,
  verdictChannel,
} from '#libs/database/verdict-delivery.ts';
import { isReady } from '#libs/redis/redis.ts';
import { answerOrTimeout } from '#libs/redis/redis-timeout.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { SubmissionVerdict } from './verdict.ts';

export class VerdictPublisher {
  readonly #redis: Redis;
  readonly #database: Database;
  readonly #logger: Logger;

  constructor(redis: Redis, database: Database, logger: Logger) {
    this.#redis = redis;
    this.#database = database;
    this.#logger = logger;
  }

  /** Without Redis the verdicts are committed together with their batch. */
  rowsIfRedisUnavailable(verdicts: readonly SubmissionVerdict[]): VerdictRow[] {
    return isReady(this.#redis) ? [] : verdictRows(verdicts);
  }

  /** Never rejects: a verdict that is lost here is found in the book itself when the caller retries. */
  async publish(verdicts: readonly SubmissionVerdict[]): Promise<void> {
    renderAnswers(verdicts);
    for (const { renderError } of verdicts) {
      if (renderError === undefined) continue;
      const fields = { event: 'processor.answer_render_failed', err: renderError } as const;
      this.#logger.error(fields, 'failed to render the answer to a committed submission');
    }
    try {
      if (!isReady(this.#redis)) return await insertVerdicts(this.#database, verdictRows(verdicts));
      const byIngress = Map.groupBy(verdicts, ({ record }) => record.ingress);
      await Promise.all([...byIngress].map(([ingress, group]) => this.#publishTo(ingress, group)));
    } catch (err) {
      this.#logger.warn({ event: 'processor.verdict_delivery_failed', err }, 'failed to deliver verdicts');
    }
  }

  /** Key rings refresh immediately instead of at their next poll. */
  notifyKeysChanged(): void {
    if (isReady(this.#redis)) this.#redis.publish(keysChannel, '').catch(() => undefined);
  }

  /** Feed streams read immediately instead of at their next poll. */
  notifyFeedAdvanced(tenantIds: readonly string[]): void {
    if (isReady(this.#redis)) this.#redis.publish(feedChannel, tenantIds.join(' ')).catch(() => undefined);
  }

  async #publishTo(ingress: string, verdicts: readonly SubmissionVerdict[]): Promise<void> {
    try {
      const text = encodeVerdicts(verdicts.map((verdict) => verdict.message()));
      const subscribers = await answerOrTimeout(this.#redis, this.#redis.publish(verdictChannel(ingress), text));
      if (subscribers > 0) return;
    } catch (cause) {
      const fields = { event: 'processor.verdict_publish_failed', err: cause, ingress } as const;
      this.#logger.warn(fields, 'failed to publish verdicts on Redis; writing them to the table');
    }
    await insertVerdicts(this.#database, verdictRows(verdicts));
  }
}

/** Called while the database works on the commit, so that the answers are ready when it returns. */
export function renderAnswers(verdicts: readonly SubmissionVerdict[]): void {
  for (const verdict of verdicts) verdict.message();
}

function verdictRows(verdicts: readonly SubmissionVerdict[]): VerdictRow[] {
  const byRequest = new Map<object, { readonly partition: number; readonly messages: VerdictMessage[] }>();
  for (const verdict of verdicts) {
    const { record, partition } = verdict;
    const request = byRequest.get(record) ?? { partition, messages: [] };
    request.messages.push(verdict.message());
    byRequest.set(record, request);
  }
  return [...byRequest.values()].map(({ partition, messages }) => ({
    requestId: messages[0]?.requestId ?? '',
    partition,
    verdict: encodeVerdicts(messages),
  }));
}
