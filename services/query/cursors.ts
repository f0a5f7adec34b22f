/**
 * Cursors of listings. A cursor contains a position; the listing, the Tenancy and the filters are part of its
 * authentication code, so a cursor of another listing or an altered one is refused.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { fromBase64url, toBase64url } from '#libs/auth/signing-scheme.ts';
import type { ListingPosition } from '#libs/database/merge-pages.ts';
import { canonicalJson, type Json, type JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The listing a cursor belongs to. */
export interface CursorScope {
  readonly tenantId: string;
  readonly name: string;
  readonly filters: JsonObject;
}

/** The values the listing is ordered by. */
export type CursorPosition = readonly (number | string)[];

/** Of a listing by numbers: those that the databases of the cell have given. Empty for the first page. */
export function listingPosition(position: CursorPosition | undefined): ListingPosition {
  return position?.map(Number) ?? [];
}

const macBytes = 16;

export class Cursors {
  readonly #currentKeys: () => readonly Buffer[];
  #keys: { readonly of: readonly Buffer[]; readonly objects: readonly KeyObject[] } | undefined;

  /** The first key signs, all are accepted: a new key can replace an old one while cursors of both are in use. */
  constructor(currentKeys: () => readonly Buffer[]) {
    this.#currentKeys = currentKeys;
  }

  encode(scope: CursorScope, position: CursorPosition): string {
    const content = Buffer.from(JSON.stringify(position), 'utf8');
    const [signing] = this.#readKeys();
    return toBase64url(Buffer.concat([mac(signing as KeyObject, scope, content), content]));
  }

  /** The position after which the page starts; undefined for the first page. */
  decode(scope: CursorScope, cursor: string | undefined): { readonly position: CursorPosition | undefined } | Refusal {
    if (cursor === undefined) return { position: undefined };
    const bytes = fromBase64url(cursor, Math.floor((cursor.length * 3) / 4));
    if (bytes === undefined || bytes.length <= macBytes) return invalidCursor();
    const content = Buffer.from(bytes.subarray(macBytes));
    const code = bytes.subarray(0, macBytes);
    if (!this.#readKeys().some((key) => timingSafeEqual(code, mac(key, scope, content)))) return invalidCursor();
    return { position: JSON.parse(content.toString('utf8')) as CursorPosition };
  }

  #readKeys(): readonly KeyObject[] {
    const keys = this.#currentKeys();
    if (this.#keys?.of !== keys) this.#keys = { of: keys, objects: keys.map((key) => createSecretKey(key)) };
    return this.#keys.objects;
  }
}

function mac(key: KeyObject, { tenantId, name, filters }: CursorScope, content: Buffer): Buffer {
  const scope = canonicalJson([tenantId, name, filters] as Json);
  return createHmac('sha256', key).update(scope).update('\n').update(content).digest().subarray(0, macBytes);
}

function invalidCursor(): Refusal {
  return refuse('invalid_query', { field: 'cursor', bound: 'a cursor of this listing' });
}

/** The filters that the request states, for the scope of a cursor. */
export function statedFilters(filters: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** `rows` has one row more than the page where another page follows. */
export function paginate<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): { readonly items: readonly Row[]; readonly cursor: { readonly cursor?: string } } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, cursor: rows.length > limit && last !== undefined ? { cursor: cursorAfter(last) } : {} };
}
