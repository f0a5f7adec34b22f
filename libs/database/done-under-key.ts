/**
 * What was recorded under an `Idempotency-Key` though its outcome was told to nobody: the answer was lost on its way, or
 * the process that waited for it ended. The evidence of a request is committed with what it changed.
 */
import { inflateRawSync } from 'node:zlib';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { type Queryable, query } from './database.ts';

/** A request that changed something, as it was sent. */
interface Done {
  readonly requestId: string;
  readonly body: Buffer;
}

interface Row {
  request_id: string;
  body: Buffer;
  body_encoding: string;
}

interface AskedUnderKey {
  readonly tenantId: string;
  readonly key: string;
  readonly method: string;
  readonly target: string;
}

/** Within the day that an outcome is kept for, oldest first. On most routes a key is signed and means nothing. */
export async function doneUnderKey(database: Queryable, asked: AskedUnderKey): Promise<Done[]> {
  const text = `
    SELECT request_id, body, body_encoding FROM evidence
    WHERE tenant_id = $1 AND hashtextextended(idempotency_key, 0) = hashtextextended($2, 0) AND idempotency_key = $2
      AND method = $3 AND target = $4
      AND taken_in_at > (extract(epoch FROM now() - interval '24 hours') * 1000000)::bigint
    ORDER BY taken_in_at`;
  const rows = await query<Row>(database, 'done_under_key', text, [
    asked.tenantId,
    asked.key,
    asked.method,
    asked.target,
  ]);
  return rows.map(({ request_id, body, body_encoding }) => ({
    requestId: request_id,
    body: body_encoding === 'deflate' ? inflateRawSync(body) : body,
  }));
}

/** The answer of the configuration version that a request recorded, undefined where it recorded none. */
export async function configurationMadeBy(
  database: Queryable,
  { tenantId, requestId }: { readonly tenantId: string; readonly requestId: string },
): Promise<string | undefined> {
  // By the key of the book, whose facts are as few as its products: seldom asked, and no index of its own.
  const text = `
    SELECT c.answer::text AS answer FROM facts f
    JOIN configurations c ON c.tenant_id = f.tenant_id AND c.configuration_id = f.body->>'id'
      AND c.version = coalesce((f.body->>'version')::integer, 1)
    WHERE f.tenant_id = $1 AND f.book_id = $2 AND f.request_id = $3
      AND f.kind IN ('configuration_created', 'configuration_version')`;
  const rows = await query<{ answer: string }>(database, 'configuration_made_by', text, [
    tenantId,
    tenancyBookId,
    requestId,
  ]);
  return rows[0]?.answer;
}
