/** Verdicts on their way from the processor to the ingress that waits: over Redis, or else through a table. */
import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { refusalFromJson, refusalToJson } from '#libs/schema/refusal-json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { type Database, query } from './database.ts';
import { uuidArray } from './pg-binary.ts';

export interface VerdictMessage {
  readonly requestId: string;
  readonly item: number;
  readonly outcome: Refusal | AnswerRecord;
}

/** The Redis channel of one ingress instance. */
export function verdictChannel(ingress: string): string {
  return `verdicts:${ingress}`;
}

/** One line with the index of the verdicts, then their bodies without a separator. */
export function encodeVerdicts(verdicts: readonly VerdictMessage[]): string {
  const index: (string | number)[] = [];
  let bodies = '';
  for (const { requestId, item, outcome } of verdicts) {
    const status = 'refused' in outcome ? refusedStatus : outcome.status;
    const body = 'refused' in outcome ? JSON.stringify(refusalToJson(outcome)) : outcome.body;
    index.push(requestId, item, status, body.length);
    bodies += body;
  }
  return `${JSON.stringify(index)}\n${bodies}`;
}

/** Stands for a refusal in the index. */
const refusedStatus = 0;

interface IndexEntry {
  readonly requestId: string;
  readonly item: number;
  readonly status: number;
  readonly length: number;
}

/**
 * The sender may run another release: what cannot be decoded is passed to `onError` and does not affect the other
 * verdicts. A refusal that cannot be decoded becomes `internal_error`, because no other verdict will follow.
 */
export function* decodeVerdicts(text: string, onError: (cause: unknown) => void): Generator<VerdictMessage> {
  try {
    const indexEnd = text.indexOf('\n');
    let offset = indexEnd + 1;
    for (const { requestId, item, status, length } of decodeIndex(text.slice(0, Math.max(indexEnd, 0)))) {
      const body = text.slice(offset, offset + length);
      offset += length;
      yield { requestId, item, outcome: decodeOutcome(status, body, onError) };
    }
  } catch (cause) {
    onError(cause);
  }
}

function* decodeIndex(line: string): Generator<IndexEntry> {
  const index: unknown = JSON.parse(line);
  if (!Array.isArray(index)) throw new TypeError('invalid verdicts: the first line is not a JSON array');
  for (let start = 0; start < index.length; start += 4) {
    const [requestId, item, status, length] = index.slice(start, start + 4);
    if (typeof requestId !== 'string' || ![item, status, length].every(Number.isInteger)) {
      throw new TypeError(
        `invalid verdict index entry ${JSON.stringify(index.slice(start, start + 4))}: expected request id, item, status, length`,
      );
    }
    yield { requestId, item, status, length };
  }
}

function decodeOutcome(status: number, body: string, onError: (cause: unknown) => void): Refusal | AnswerRecord {
  if (status !== refusedStatus) return { status, body };
  try {
    return refusalFromJson(JSON.parse(body));
  } catch (cause) {
    onError(cause);
    return refuse('internal_error');
  }
}

/** Written before or after the commit, depending on when Redis was found to be unavailable. */
export async function insertVerdicts(
  database: Database,
  rows: readonly { readonly requestId: string; readonly partition: number; readonly verdict: string }[],
): Promise<void> {
  await query(
    database,
    'insert_verdicts',
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

/** A limit per statement, so that deleting after a long downtime does not time out. */
const maxDeletedRows = 50_000;

export async function deleteExpiredVerdicts(database: Database): Promise<void> {
  const text = `DELETE FROM verdicts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM verdicts WHERE written_at < now() - interval '1 minute' LIMIT ${maxDeletedRows}))`;
  await query(database, 'delete_expired_verdicts', text, []);
}
