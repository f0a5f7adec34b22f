/** A request with curl. `lending_sign` is the function of the guide to signing. */
import { formatJson } from '../format-json.ts';
import type { SampleRequest } from './sample-request.ts';
import { shellQuote } from './shell-quote.ts';

export function curlSample({ method, target, body }: SampleRequest): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`;
  const lines = [`curl${verb} "$LENDING_URL$target"`];
  if (body === undefined) lines.push(`-H "Authorization: $(lending_sign ${method} "$target")"`);
  else {
    lines.push(`-H "Authorization: $(lending_sign ${method} "$target" "$body")"`);
    lines.push(`-H 'Content-Type: application/json' -d "$body"`);
  }
  return [
    `target=${shellQuote(target)}`,
    ...(body === undefined ? [] : [`body=${shellQuote(formatJson(body))}`]),
    lines.join(' \\\n  '),
  ].join('\n');
}
