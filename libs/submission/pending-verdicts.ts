/**
 * Requests of this ingress that wait for their verdicts. Verdicts arrive on a Redis channel; those the processor could not
 * publish there are read from the verdicts table.
 */
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { decodeVerdicts, findVerdicts, verdictChannel } from '#libs/database/verdict-delivery.ts';
import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { isReady, keepSubscribed } from '#libs/redis/redis.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

export type SubmissionResult = Refusal | AnswerRecord;

interface PendingRequest {
  readonly requestId: string;
  readonly since: number;
  readonly deadline: number;
  /** By item. */
  readonly results: Map<number, SubmissionResult>;
  readonly itemCount: number;
  readonly settle: (results: ReadonlyMap<number, SubmissionResult>) => void;
  /** By database, the number of the check that last looked for it in the table; absent if none did. */
  readonly lastPolledIn: Map<Database, number>;
}

export interface PendingVerdictsOptions {
  readonly ingress: string;
  readonly subscriber: Redis;
  readonly databases: PartitionDatabases;
  readonly logger: Logger;
}

const checkIntervalMs = 100;
/** While Redis works, a verdict that takes longer may have been written to the table. */
const overdueMs = 700;
const maxRequestsPerPoll = 500;

export class PendingVerdicts {
  readonly #options: PendingVerdictsOptions;
  /** In the order of arrival. */
  readonly #requests = new Map<string, PendingRequest>();
  readonly #timer: NodeJS.Timeout;
  readonly #onMessage: (channel: string, text: string) => void;
  readonly #unsubscribe: () => void;
  #checks = 0;
  /** One that hangs must not delay the verdicts of others. */
  readonly #polledDatabases = new Set<Database>();
  /** The last verdict came from the table: Redis may hang although its connection looks healthy. */
  #isTableInUse = false;

  constructor(options: PendingVerdictsOptions) {
    this.#options = options;
    const { subscriber, ingress } = options;
    const ownChannel = verdictChannel(ingress);
    this.#onMessage = (channel, text) => {
      if (channel !== ownChannel) return;
      this.#isTableInUse = false;
      this.#receive(text);
    };
    subscriber.on('message', this.#onMessage);
    this.#unsubscribe = keepSubscribed(subscriber, ownChannel);
    this.#timer = setInterval(() => this.#check(), checkIntervalMs);
  }

  get size(): number {
    return this.#requests.size;
  }

  /** Where the processor sends verdicts. It writes them to the table when nothing is subscribed to the address. */
  get address(): string {
    const { ingress, subscriber } = this.#options;
    // While disconnected use another address: Redis may count a dead connection as subscribed for a long time.
    return isReady(subscriber) ? ingress : `${ingress}/no-subscriber`;
  }

  /** The results by item. An item without a verdict in time is absent: its submission may or may not be recorded. */
  waitFor(requestId: string, itemCount: number, timeoutMs: number): Promise<ReadonlyMap<number, SubmissionResult>> {
    const since = performance.now();
    return new Promise((settle) => {
      this.#requests.set(requestId, {
        requestId,
        since,
        deadline: since + timeoutMs,
        results: new Map(),
        itemCount,
        settle,
        lastPolledIn: new Map(),
      });
    });
  }

  /** For a request that was not sent. */
  cancel(requestId: string): void {
    this.#settle(this.#requests.get(requestId));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#options.subscriber.off('message', this.#onMessage);
    this.#unsubscribe();
    for (const request of this.#requests.values()) this.#settle(request);
  }

  #receive(text: string): void {
    const onUnreadable = (err: unknown): void =>
      this.#options.logger.warn({ event: 'submission.verdict_unreadable', err }, 'failed to decode a verdict');
    for (const { requestId, item, outcome } of decodeVerdicts(text, onUnreadable)) {
      const request = this.#requests.get(requestId);
      if (request === undefined || request.results.has(item)) continue;
      request.results.set(item, outcome);
      if (request.results.size === request.itemCount) this.#settle(request);
    }
  }

  #settle(request: PendingRequest | undefined): void {
    if (request === undefined) return;
    this.#requests.delete(request.requestId);
    request.settle(request.results);
  }

  /** Settles expired requests and looks up overdue ones in the table. */
  #check(): void {
    const now = performance.now();
    const pollAfterMs = isReady(this.#options.subscriber) && !this.#isTableInUse ? overdueMs : 0;
    const overdue: PendingRequest[] = [];
    for (const request of this.#requests.values()) {
      if (now > request.deadline) this.#settle(request);
      else if (now - request.since > pollAfterMs) overdue.push(request);
    }
    if (overdue.length === 0) return;
    this.#checks += 1;
    for (const database of this.#options.databases.all) {
      if (!this.#polledDatabases.has(database)) void this.#poll(database, this.#nextToPoll(database, overdue));
    }
  }

  /** Those polled least recently: otherwise many undecided old requests would keep the others from being polled. */
  #nextToPoll(database: Database, overdue: readonly PendingRequest[]): string[] {
    const lastPolledIn = (request: PendingRequest): number => request.lastPolledIn.get(database) ?? 0;
    // The sort is stable: among equals the oldest come first.
    const next =
      overdue.length > maxRequestsPerPoll
        ? overdue.toSorted((one, other) => lastPolledIn(one) - lastPolledIn(other)).slice(0, maxRequestsPerPoll)
        : overdue;
    return next.map((request) => {
      request.lastPolledIn.set(database, this.#checks);
      return request.requestId;
    });
  }

  async #poll(database: Database, requestIds: readonly string[]): Promise<void> {
    this.#polledDatabases.add(database);
    try {
      for (const text of await findVerdicts(database, requestIds)) {
        this.#isTableInUse = true;
        this.#receive(text);
      }
    } catch (cause) {
      this.#options.logger.warn(
        { event: 'submission.verdict_poll_failed', err: cause },
        'failed to read verdicts from the database; retrying',
      );
    } finally {
      this.#polledDatabases.delete(database);
    }
  }
}
