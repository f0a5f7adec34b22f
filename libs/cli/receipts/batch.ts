/** Rows into batches, and a batch to the service until every receipt of it has an answer that stays. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, pauseMs } from '../caller.ts';
import { type Outcome, stands } from './outcomes.ts';
import type { Row } from './row.ts';

/** Half of what the route takes, for bytes as well as for receipts. */
const mostBytes = 4 * 1024 * 1024;

/** Gathers rows until there are so many, or as many bytes as one request should hold. */
export class Batch {
  readonly #most: number;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#most || this.#bytes >= mostBytes;
  }

  add(row: Row): void {
    this.#rows.push(row);
    this.#bytes += Buffer.byteLength(row.body);
  }

  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    return rows;
  }
}

/**
 * One batch at a time, and within it whatever may be sent again as it is, in its order: the receipts of a Client are
 * taken in the order of the file.
 */
export async function postBatch(
  caller: Pick<Caller, 'ask'>,
  rows: readonly Row[],
  patienceMs: number,
): Promise<(readonly [Row, Outcome])[]> {
  const told = new Map<Row, Outcome>();
  const until = Date.now() + patienceMs;
  let waiting = rows;
  for (let attempt = 0; waiting.length > 0; attempt += 1) {
    const body = `{"receipts":[${waiting.map((row) => row.body).join(',')}]}`;
    const answer = await caller.ask<{ outcomes: Outcome[] }>('POST', '/receipts/batch', body);
    for (const [at, row] of waiting.entries()) told.set(row, outcomeAt(answer.outcomes, at));
    waiting = waiting.filter((row) => isWorthAnother(told.get(row), attempt));
    if (waiting.length === 0) break;
    const pause = pauseMs(attempt, undefined);
    if (Date.now() + pause > until) break;
    await sleep(pause);
  }
  return [...told];
}

function outcomeAt(outcomes: readonly Outcome[], at: number): Outcome {
  const outcome = outcomes[at];
  if (outcome === undefined) throw new Error(`the service told ${outcomes.length} outcomes, and one is missing`);
  return outcome;
}

/** A book that waits for a person answers `internal_error` for hours: asked once more, and told. */
function isWorthAnother(outcome: Outcome | undefined, attempt: number): boolean {
  if (outcome === undefined || stands(outcome) || outcome.retry !== 'as_is') return false;
  return outcome.code !== 'internal_error' || attempt === 0;
}
