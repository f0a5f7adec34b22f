/** Submits what was done to persons to the log: right after it was done, and again until it succeeds. */
import { type Database, inTransaction } from '#libs/database/database.ts';
import { deleteRecordedAct, lockRecording, readUnrecordedAct } from '#libs/people/unrecorded-acts.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';

const intervalMs = 1_000;

interface Recorder {
  readonly database: Database;
  readonly administration: Administration;
  readonly logger: Logger;
}

export function recordActsInBackground(recorder: Recorder, lifecycle: Lifecycle): void {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= recordActs(recorder).finally(() => {
      running = undefined;
    });
  }, intervalMs);
  lifecycle.onStop('acts', async () => {
    clearInterval(timer);
    await running;
  });
}

async function recordActs(recorder: Recorder): Promise<void> {
  try {
    while (await recordOldest(recorder));
  } catch (err) {
    recorder.logger.warn({ event: 'console.act_not_recorded', err }, 'failed to record acts on people; trying again');
  }
}

/** False where none is left, or another console records. */
export function recordOldest({ database, administration }: Omit<Recorder, 'logger'>): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const act = (await lockRecording(transaction)) ? await readUnrecordedAct(transaction) : undefined;
    if (act === undefined) return false;
    const result = await administration.recordPersonAct(act.actor, act.tenantId, act.body);
    if (isRefusal(result)) throw new Error(`act ${act.body.act_id} was refused with ${result.code}`);
    await deleteRecordedAct(transaction, act);
    return true;
  });
}
