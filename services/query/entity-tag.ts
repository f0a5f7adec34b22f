/** Entity tags: what an answer depends on, said without making the answer. */
import { hash } from 'node:crypto';
import type { Json } from '#libs/contract/json.ts';

/** Strong: two answers under one tag are the same bytes. */
export function entityTag(parts: readonly Json[]): string {
  return `"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` names the tag: by itself, in a list, weakly, or with a star. */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(tag);
}
