/** Submits what was done to persons to the log: right after it was done, and again until it succeeds. */
import type { Database } from '#libs/database/database.ts';
import { deleteRecordedAct, readUnrecordedActs } from '#libs/people/unrecorded-acts.ts';
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

async function recordActs({ database, administration, logger }: Recorder): Promise<void> {
  try {
    for (const act of await readUnrecordedActs(database)) {
      const result = await administration.recordPersonAct(act.actor, act.tenantId, act.body);
      if (isRefusal(result)) throw new Error(`act ${act.body.act_id} was refused with ${result.code}`);
      await deleteRecordedAct(database, act);
    }
  } catch (err) {
    logger.warn({ event: 'console.act_not_recorded', err }, 'failed to record acts on people; trying again');
  }
}
