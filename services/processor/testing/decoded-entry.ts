import type { JsonObject } from '#libs/schema/json.ts';
import type { DecodedEntry, EntryItem } from '../log-entry.ts';

export interface ItemContent {
  readonly body: JsonObject;
  /** The Client whose book it changes. */
  readonly client?: string;
  readonly reference?: string;
}

export interface EntryContent {
  readonly requestId: string;
  readonly offset: number;
  readonly operation?: string;
  readonly actor?: string | undefined;
  readonly sentAt: number;
  readonly deadline?: number;
  readonly items: readonly ItemContent[];
}

/** A request of the Tenancy `acme` in partition 3, as it is decoded. */
export function decodedEntry({
  requestId,
  offset,
  operation = 'add',
  actor,
  sentAt,
  deadline = sentAt + 2_000_000,
  items: contents,
}: EntryContent): DecodedEntry {
  const items = contents.map((content, item) => entryItem(content, { item, operation, actor }));
  const evidence = {
    method: 'POST',
    target: '/',
    ts: 1,
    fp: 'f',
    signature: null,
    idempotency_key: null,
    body: Buffer.alloc(0),
    body_encoding: 'identity' as const,
  };
  return {
    partition: 3,
    offset,
    source: { offset, key: Buffer.from('acme/c/ana'), value: Buffer.alloc(0) },
    items,
    record: {
      request_id: requestId,
      ingress: 'i',
      tenant_id: 'acme',
      operation,
      params: {},
      taken_in_at: sentAt,
      patience_ends_at: deadline,
      actor: actor ?? null,
      caller_request_id: null,
      evidence,
      items: items.map(({ source }) => source),
    },
  };
}

/** Submissions of the same body to the same book have the same digest. */
export function digestOf({ body, client = 'ana' }: ItemContent): Buffer {
  return Buffer.from(`${client} ${JSON.stringify(body)}`);
}

function entryItem(
  content: ItemContent,
  { item, operation, actor }: Pick<EntryContent, 'actor'> & { readonly item: number; readonly operation: string },
): EntryItem {
  const { body, client = 'ana', reference } = content;
  const digest = digestOf(content);
  const bookId = `c/${client}`;
  return {
    source: { item, book_id: bookId, namespace: null, reference: null, digest, body: null, ids: [], resolved: null },
    submission: {
      tenantId: 'acme',
      bookId,
      operation,
      params: {},
      body,
      digest: digest.toString('hex'),
      ids: [],
      resolved: null,
      ...(reference === undefined ? {} : { namespace: 'receipts' as const, reference }),
      ...(actor === undefined ? {} : { actor }),
    },
  };
}
