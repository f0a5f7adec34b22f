/** A request in Python. `call` is the function of the guide to signing. */
import { formatJson, type JsonNotation, jsonNotation } from '../format-json.ts';
import type { SampleRequest } from './sample-request.ts';

const words = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const pythonNotation: JsonNotation = {
  ...jsonNotation,
  indent: '    ',
  scalar: (value) => words.get(value) ?? JSON.stringify(value),
  trailingComma: true,
};

export function pythonSample({ method, path, body }: SampleRequest): string {
  const start = `call("${method}", "${path}"`;
  const call = body === undefined ? `${start})` : `${start}, ${formatJson(body, pythonNotation, 0, start.length)})`;
  return `from lending import call\n\nprint(${call})`;
}
