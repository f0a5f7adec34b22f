/** A request with the `lending` command. */
import { formatJson } from '../format-json.ts';
import type { SampleRequest } from './sample-request.ts';
import { shellQuote } from './shell-quote.ts';

export function commandLineSample({ method, target, body }: SampleRequest): string {
  const call = `lending call ${method} ${shellQuote(target)}`;
  return body === undefined ? call : `${call} ${shellQuote(formatJson(body))}`;
}
