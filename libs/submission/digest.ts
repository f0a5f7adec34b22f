/** What a retry is compared by: the canonical text of what was asked, whatever its spacing and the order of its members. */
import { hash } from 'node:crypto';
import { canonicalJson } from '#libs/contract/canonical.ts';
import type { Json } from '#libs/contract/json.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

export function submissionDigest({ method, path, body }: Asked): Buffer {
  // The members stand in the canonical order; only the body has any to sort.
  const text = `{"body":${canonicalJson(body)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}}`;
  return hash('sha256', text, 'buffer');
}
