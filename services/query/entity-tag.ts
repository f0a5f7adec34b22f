/** Entity tags: what an answer depends on, said without making the answer. */
import { hash } from 'node:crypto';
import type { Json } from '#libs/schema/json.ts';

/** Strong: two answers under one tag are the same bytes. */
export function entityTag(parts: readonly Json[]): string {
  return `"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 27)}"`;
}

/** One of a list of tags (RFC 9110, 8.8.3 and 5.6.1), up to where the next may begin. */
const listed = /[\t ,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y;

/**
 * Whether `If-None-Match` names the tag: by itself, in a list, weakly, or with a star. What is no such list names none: a
 * whole answer is never wrong.
 */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  let found = false;
  let end = 0;
  listed.lastIndex = 0;
  for (let each = listed.exec(header); each !== null; each = listed.exec(header)) {
    found ||= each[1] === tag;
    end = listed.lastIndex;
  }
  return found && /^[\t ,]*$/.test(header.slice(end));
}
