/**
 * Submits what was done to persons to the log: right after it was done, and again until it succeeds. An act that cannot be
 * recorded waits, and the others go on.
 */
import { inTransaction } from '#libs/database/database.ts';
import { isParked } from '#libs/database/parked-submissions.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import {
  deleteRecordedAct,
  lockRecording,
  readUnrecordedAct,
  type UnrecordedAct,
} from '#libs/people/unrecorded-acts.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { Postponements } from './postponements.ts';

const intervalMs = 1_000;

export interface ActRecorderOptions {
  readonly databases: PartitionDatabases;
  readonly administration: Pick<Administration, 'recordPersonAct'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export function recordActsInBackground(options: ActRecorderOptions, lifecycle: Lifecycle): void {
  const recorder = new ActRecorder(options);
  let running: Promise<void> | undefined;
  let isStopping = false;
  const run = async (): Promise<void> => {
    try {
      while (!isStopping && (await recorder.recordNext()));
    } catch (err) {
      options.logger.warn({ event: 'console.act_not_recorded', err }, 'failed to read acts on people; trying again');
    }
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined;
    });
  }, intervalMs);
  lifecycle.onStop('acts', async () => {
    isStopping = true;
    clearInterval(timer);
    await running;
  });
}

export class ActRecorder {
  readonly #options: ActRecorderOptions;
  readonly #acts = new Postponements();
  /** By Tenancy: the acts in one book stay in their order. */
  readonly #books = new Postponements();

  constructor(options: ActRecorderOptions) {
    this.#options = options;
  }

  /** Tries one act. False where none is left to try now, or another console records. */
  recordNext(): Promise<boolean> {
    return inTransaction(this.#options.databases.home, async (transaction) => {
      const postponed = { actIds: this.#acts.names(), tenantIds: this.#books.names() };
      const act = (await lockRecording(transaction)) ? await readUnrecordedAct(transaction, postponed) : undefined;
      if (act === undefined) return false;
      if (await this.#record(act)) await deleteRecordedAct(transaction, act);
      return true;
    });
  }

  async #record({ actor, tenantId, body }: UnrecordedAct): Promise<boolean> {
    const { databases, administration, logger } = this.#options;
    const { act_id: actId } = body;
    try {
      const book = { tenantId, bookId: tenancyBookId };
      // Each attempt would be parked, too.
      if (await isParked(databases.ofBook(book), book)) {
        this.#books.postpone(tenantId);
        return false;
      }
      const result = await administration.recordPersonAct(actor, tenantId, body);
      if (isRefusal(result)) throw new Error(`act ${actId} was refused with ${result.code}`);
      this.#books.remove(tenantId);
      return true;
    } catch (err) {
      // What is wrong with one act only does not delay those after it.
      if (err instanceof DependencyUnavailableError) this.#books.postpone(tenantId);
      else this.#acts.postpone(actId);
      const fields = { event: 'console.act_not_recorded', err, act_id: actId, tenant_id: tenantId } as const;
      logger.warn(fields, 'failed to record an act on a person; trying again later');
      return false;
    }
  }
}
