/**
 * What came of a submission, on its way back to the ingress that waits for it: over Redis, or where that is away
 * through a table that keeps it for a minute.
 */
import { type Details, isRefusalCode, type Refusal, type RefusalCode, refuse } from '#libs/contract/refusals.ts';
import type { Answer } from '#libs/turn/book-kind.ts';
import { ask, type Database } from './database.ts';
import { uuidArray } from './pg-array.ts';

export interface Verdict {
  readonly requestId: string;
  readonly item: number;
  readonly outcome: Refusal | Answer;
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
    const body = 'refused' in outcome ? JSON.stringify({ code: outcome.code, details: outcome.details }) : outcome.body;
    index.push(requestId, item, status, body.length);
    bodies += body;
  }
  return `${JSON.stringify(index)}\n${bodies}`;
}

export function* decodeVerdicts(text: string): Generator<Verdict> {
  const end = text.indexOf('\n');
  const index = JSON.parse(text.slice(0, end)) as (string | number)[];
  let at = end + 1;
  for (let field = 0; field < index.length; field += 4) {
    const [requestId, item, status, length] = index.slice(field, field + 4) as [string, number, number, number];
    const body = text.slice(at, at + length);
    at += length;
    yield { requestId, item, outcome: status === 0 ? refusalFrom(body) : { status, body } };
  }
}

function refusalFrom(body: string): Refusal {
  const { code, details } = JSON.parse(body) as { code: string; details?: Details };
  if (!isRefusalCode(code)) throw new TypeError(`${code} is no code of a refusal`);
  return refuse(code as RefusalCode, details as never);
}

/** Written before or after the commit, whichever knew that Redis is away. */
export async function keepVerdicts(
  database: Database,
  rows: readonly { requestId: string; partition: number; verdict: string }[],
): Promise<void> {
  await ask(
    database,
    'keep_verdicts',
    `INSERT INTO verdicts (request_id, partition, verdict)
       SELECT request, partition, verdict FROM json_to_recordset($1) AS v (request uuid, partition smallint, verdict text)
       ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows.map(({ requestId, partition, verdict }) => ({ request: requestId, partition, verdict })))],
  );
}

export async function findVerdicts(database: Database, requestIds: readonly string[]): Promise<string[]> {
  const rows = await ask<{ verdict: string }>(
    database,
    'find_verdicts',
    'SELECT verdict FROM verdicts WHERE request_id = ANY ($1::uuid[])',
    [uuidArray(requestIds)],
  );
  return rows.map((row) => row.verdict);
}

export async function sweepVerdicts(database: Database): Promise<void> {
  await ask(database, 'sweep_verdicts', "DELETE FROM verdicts WHERE written_at < now() - interval '1 minute'", []);
}
