/**
 * Where a listing goes on. A cursor says a place and nothing else; that it was given out by this listing of this Tenancy
 * under these filters is in its authentication, so that another's, or an altered one, is none.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromBase64url, toBase64url } from '#libs/auth/base64url.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface Listing {
  readonly tenantId: string;
  readonly name: string;
  readonly filters: JsonObject;
}

/** Numbers or texts that order the listing. */
export type Place = readonly (number | string)[];

const macBytes = 16;

export class Cursors {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  give(listing: Listing, place: Place): string {
    const said = Buffer.from(JSON.stringify(place), 'utf8');
    return toBase64url(Buffer.concat([this.#mac(listing, said), said]));
  }

  /** The place a request goes on from; undefined for its first page. */
  take(listing: Listing, cursor: string | undefined): { readonly place: Place | undefined } | Refusal {
    if (cursor === undefined) return { place: undefined };
    const bytes = fromBase64url(cursor, Math.floor((cursor.length * 3) / 4));
    if (bytes === undefined || bytes.length <= macBytes) return foreign();
    const said = Buffer.from(bytes.subarray(macBytes));
    if (!timingSafeEqual(bytes.subarray(0, macBytes), this.#mac(listing, said))) return foreign();
    return { place: JSON.parse(said.toString('utf8')) as Place };
  }

  #mac({ tenantId, name, filters }: Listing, said: Buffer): Buffer {
    const bound = canonicalJson([tenantId, name, filters] as Json);
    return createHmac('sha256', this.#key).update(bound).update('\n').update(said).digest().subarray(0, macBytes);
  }
}

function foreign(): Refusal {
  return refuse('invalid_query', { field: 'cursor', bound: 'a cursor of this listing' });
}

/** The filters that were stated: what a cursor is bound to beside its listing. */
export function stated(filters: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** `items` holds one more than the page where there is another page. */
export function page<Item>(
  items: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
): { readonly items: readonly Item[]; readonly cursor: { readonly cursor?: string } } {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown, cursor: items.length > limit && last !== undefined ? { cursor: cursorAfter(last) } : {} };
}
