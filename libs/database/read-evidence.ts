/** Facts with the signed submissions that caused them, as they were sent. */
import { inflateRawSync } from 'node:zlib';
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface Proof {
  readonly sequence: number;
  readonly kind: string;
  /** JSON text as it is kept and published. */
  readonly body: string;
  readonly recorded_at: number;
  readonly request_id: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
  readonly event_no: number;
  readonly method: string;
  readonly target: string;
  readonly ts: number;
  readonly fp: string;
  readonly signature: Buffer;
  readonly idempotency_key: string | null;
  /** The bytes that were signed. */
  readonly sent: Buffer;
  readonly taken_in_at: number;
  readonly public_key: Buffer;
  readonly key_created_at: number;
  readonly key_revoked_at: number | null;
}

type Row = Proof & { readonly body_encoding: string };

const text = `
  SELECT f.sequence, f.kind, f.body::text AS body, f.recorded_at, f.request_id, f.item, f.partition, f."offset",
    f.event_no, e.method, e.target, e.ts, e.fp, e.signature, e.idempotency_key, e.body AS sent, e.body_encoding,
    e.taken_in_at, k.public_key, k.created_at AS key_created_at, k.revoked_at AS key_revoked_at
  FROM facts f
  JOIN evidence e ON e.request_id = f.request_id AND e.partition = f.partition
  JOIN keys k ON k.fp = e.fp
  WHERE f.tenant_id = $1 AND f.book_id = $2 AND f.sequence = ANY ($3::bigint[]) ORDER BY f.sequence`;

export async function proofsOf(
  database: Database,
  watch: Watch,
  named: { readonly tenantId: string; readonly bookId: string; readonly sequences: readonly number[] },
): Promise<Proof[]> {
  const values = [named.tenantId, named.bookId, named.sequences];
  const rows = await askTimed<Row>(database, watch, 'proofs_of', text, values);
  return rows.map(({ body_encoding, ...row }) => ({
    ...row,
    sent: body_encoding === 'deflate' ? inflateRawSync(row.sent) : row.sent,
  }));
}
