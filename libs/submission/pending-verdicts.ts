/**
 * Where an ingress awaits what came of its submissions. Verdicts arrive over Redis; those that do not are asked of the
 * table they are written to where Redis was away.
 */
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { decodeVerdicts, findVerdicts, verdictChannel } from '#libs/database/verdicts.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { isReady } from '#libs/redis/redis.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

export type SubmissionOutcome = Refusal | AnswerRecord;

interface Waiting {
  readonly requestId: string;
  readonly since: number;
  readonly until: number;
  readonly outcomes: Map<number, SubmissionOutcome>;
  readonly items: number;
  readonly settle: (outcomes: ReadonlyMap<number, SubmissionOutcome>) => void;
  /** The table was asked for it last in this look; in none yet: zero. */
  askedIn: number;
}

export interface VerdictDeskOptions {
  readonly ingress: string;
  readonly subscriber: Redis;
  readonly database: Database;
  readonly say: WarnLog;
}

const lookEveryMs = 100;
/** With Redis there a verdict that is later than this may have gone through the table. */
const overdueMs = 700;
const mostAsked = 500;

export class PendingVerdicts {
  readonly #options: VerdictDeskOptions;
  /** In the order of their coming. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #timer: NodeJS.Timeout;
  readonly #listener: (channel: string, text: string) => void;
  #looks = 0;
  #asking = false;
  /** What came last came through the table: a Redis that hangs looks as ever and says nothing. */
  #throughTable = false;

  constructor(options: VerdictDeskOptions) {
    this.#options = options;
    const { subscriber, ingress } = options;
    const mine = verdictChannel(ingress);
    this.#listener = (channel, text) => {
      if (channel !== mine) return;
      this.#throughTable = false;
      this.#hear(text);
    };
    subscriber.on('message', this.#listener);
    subscriber.subscribe(mine).catch(() => undefined);
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** To where verdicts are said. Where nobody listens they are kept in the table. */
  get address(): string {
    const { ingress, subscriber } = this.#options;
    // Not under the name of a line that was swallowed: Redis may take it for one that hears, long after it is given up.
    return isReady(subscriber) ? ingress : `${ingress}/unheard`;
  }

  /** By item; one that is absent was not told in time, and nobody knows what became of it. */
  await(requestId: string, items: number, withinMs: number): Promise<ReadonlyMap<number, SubmissionOutcome>> {
    const since = performance.now();
    return new Promise((settle) => {
      const waiting = { requestId, since, until: since + withinMs, outcomes: new Map(), items, settle, askedIn: 0 };
      this.#waiting.set(requestId, waiting);
    });
  }

  /** Nothing was sent after all. */
  forget(requestId: string): void {
    this.#settle(this.#waiting.get(requestId));
  }

  close(): void {
    const { subscriber, ingress } = this.#options;
    clearInterval(this.#timer);
    subscriber.off('message', this.#listener);
    subscriber.unsubscribe(verdictChannel(ingress)).catch(() => undefined);
    for (const waiting of this.#waiting.values()) this.#settle(waiting);
  }

  #hear(text: string): void {
    const { say } = this.#options;
    for (const { requestId, item, outcome } of decodeVerdicts(text, (err) =>
      say.warn({ err }, 'a verdict cannot be read'),
    )) {
      const waiting = this.#waiting.get(requestId);
      if (waiting === undefined || waiting.outcomes.has(item)) continue;
      waiting.outcomes.set(item, outcome);
      if (waiting.outcomes.size === waiting.items) this.#settle(waiting);
    }
  }

  #settle(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#waiting.delete(waiting.requestId);
    waiting.settle(waiting.outcomes);
  }

  #look(): void {
    const now = performance.now();
    const patience = isReady(this.#options.subscriber) && !this.#throughTable ? overdueMs : 0;
    const overdue: Waiting[] = [];
    for (const waiting of this.#waiting.values()) {
      if (now > waiting.until) this.#settle(waiting);
      else if (now - waiting.since > patience) overdue.push(waiting);
    }
    if (overdue.length > 0 && !this.#asking) void this.#ask(this.#nextOf(overdue));
  }

  /** Those the table was not asked for the longest: the oldest alone may be many that nobody decides. */
  #nextOf(overdue: Waiting[]): string[] {
    this.#looks += 1;
    // Of those asked together the oldest stay first.
    if (overdue.length > mostAsked) overdue.sort((one, other) => one.askedIn - other.askedIn);
    return overdue.slice(0, mostAsked).map((waiting) => {
      waiting.askedIn = this.#looks;
      return waiting.requestId;
    });
  }

  async #ask(requestIds: readonly string[]): Promise<void> {
    this.#asking = true;
    try {
      for (const text of await findVerdicts(this.#options.database, requestIds)) {
        this.#throughTable = true;
        this.#hear(text);
      }
    } catch (cause) {
      this.#options.say.warn({ err: cause }, 'verdicts could not be asked of the store');
    } finally {
      this.#asking = false;
    }
  }
}
