/** An answer fetched outside a Tenant, held to the document like every other. */
import { holdToDocument } from './held.ts';

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function fetched(url: string, init: RequestInit = {}): Promise<Fetched> {
  const answer = await fetch(url, init);
  const { status, headers } = answer;
  const text = await answer.text();
  const { pathname, search } = new URL(url);
  const said = Object.fromEntries(headers);
  holdToDocument({ method: init.method ?? 'GET', target: pathname + search }, { status, headers: said, text });
  return { status, headers, text };
}
