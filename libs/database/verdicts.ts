/**
 * What came of a submission, on its way back to the ingress that waits for it: over Redis, or where that is away
 * through a table that keeps it for a minute.
 */

import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { hearRefusal, sayRefusal } from '#libs/schema/refusal-json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { type Database, query } from './database.ts';
import { uuidArray } from './pg-array.ts';

export interface Verdict {
  readonly requestId: string;
  readonly item: number;
  readonly outcome: Refusal | AnswerRecord;
}

export function verdictChannel(ingress: string): string {
  return `verdicts:${ingress}`;
}

/** Bodies travel as they are, behind one line that says whose they are and where each ends. */
export function encodeVerdicts(verdicts: readonly Verdict[]): string {
  const index: (string | number)[] = [];
  let bodies = '';
  for (const { requestId, item, outcome } of verdicts) {
    const status = 'refused' in outcome ? 0 : outcome.status;
    const body = 'refused' in outcome ? JSON.stringify(sayRefusal(outcome)) : outcome.body;
    index.push(requestId, item, status, body.length);
    bodies += body;
  }
  return `${JSON.stringify(index)}\n${bodies}`;
}

type Place = readonly [requestId: string, item: number, status: number, length: number];

/**
 * Who says it may be of another release: what of it cannot be read is given to `onUnreadable`, and costs itself alone.
 * The one it was for is answered as by any fault of ours, for nobody else will say it again.
 */
export function* decodeVerdicts(text: string, onUnreadable: (fault: unknown) => void): Generator<Verdict> {
  try {
    const end = text.indexOf('\n');
    let at = end + 1;
    for (const [requestId, item, status, length] of placesIn(text.slice(0, Math.max(end, 0)))) {
      const body = text.slice(at, at + length);
      at += length;
      yield { requestId, item, outcome: outcomeOf(status, body, onUnreadable) };
    }
  } catch (fault) {
    onUnreadable(fault);
  }
}

function* placesIn(line: string): Generator<Place> {
  const index = JSON.parse(line) as unknown[];
  if (!Array.isArray(index)) throw new TypeError('verdicts without their index');
  for (let field = 0; field < index.length; field += 4) {
    const place = index.slice(field, field + 4);
    const [requestId, ...numbers] = place;
    if (typeof requestId !== 'string' || numbers.length < 3 || !numbers.every(Number.isInteger)) {
      throw new TypeError(`${JSON.stringify(place)} does not say whose verdict it is and where it ends`);
    }
    yield place as unknown as Place;
  }
}

function outcomeOf(status: number, body: string, onUnreadable: (fault: unknown) => void): Refusal | AnswerRecord {
  if (status !== 0) return { status, body };
  try {
    return hearRefusal(JSON.parse(body));
  } catch (fault) {
    onUnreadable(fault);
    return refuse('internal_error');
  }
}

/** Written before or after the commit, whichever knew that Redis is away. */
export async function keepVerdicts(
  database: Database,
  rows: readonly { requestId: string; partition: number; verdict: string }[],
): Promise<void> {
  await query(
    database,
    'keep_verdicts',
    `INSERT INTO verdicts (request_id, partition, verdict)
       SELECT request, partition, verdict FROM json_to_recordset($1) AS v (request uuid, partition smallint, verdict text)
       ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows.map(({ requestId, partition, verdict }) => ({ request: requestId, partition, verdict })))],
  );
}

export async function findVerdicts(database: Database, requestIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ verdict: string }>(
    database,
    'find_verdicts',
    'SELECT verdict FROM verdicts WHERE request_id = ANY ($1::uuid[])',
    [uuidArray(requestIds)],
  );
  return rows.map((row) => row.verdict);
}

export async function sweepVerdicts(database: Database): Promise<void> {
  // So many at a time: after a long standstill one sweep would never end within what is waited for.
  const text = `DELETE FROM verdicts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM verdicts WHERE written_at < now() - interval '1 minute' LIMIT 50000))`;
  await query(database, 'sweep_verdicts', text, []);
}
