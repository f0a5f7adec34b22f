/** Reads a pasted HTTP request: as it is sent, as `curl -v` prints it, or its headers alone. */

export interface PastedRequest {
  readonly method?: string;
  /** As on the request line. */
  readonly target?: string;
  readonly headers: readonly PastedHeader[];
  /** What follows the empty line. */
  readonly body?: string;
  /** The `Request-Id` of the response, which `curl -v` prints too. */
  readonly responseRequestId?: string;
}

interface PastedHeader {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

const requestLine = /^([A-Za-z]+) +(\S+)(?: +HTTP\/[\d.]+)?$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
const credentialsAlone = /^Service-Ed25519\b/i;
const sentByCurl = /^> ?/;
const receivedByCurl = /^< ?/;

/** Lines end with a line feed. */
export function readPastedRequest(text: string): PastedRequest {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const isTrace = lines.some((line) => sentByCurl.test(line));
  if (!isTrace) return readMessage(lines);
  const { body: _none, ...sent } = readMessage(linesAfter(lines, sentByCurl));
  const responseRequestId = valuesOf(readMessage(linesAfter(lines, receivedByCurl)).headers, 'request-id')[0];
  return responseRequestId === undefined ? sent : { ...sent, responseRequestId };
}

export function valuesOf(headers: readonly PastedHeader[], name: string): readonly string[] {
  return headers.filter((header) => header.name === name).map(({ value }) => value);
}

function linesAfter(lines: readonly string[], prefix: RegExp): readonly string[] {
  return lines.filter((line) => prefix.test(line)).map((line) => line.replace(prefix, ''));
}

function readMessage(lines: readonly string[]): PastedRequest {
  const start = lines.findIndex((line) => line !== '');
  if (start < 0) return { headers: [] };
  const [, method, target] = requestLine.exec(lines[start] as string) ?? [];
  const end = lines.indexOf('', start);
  const head = lines.slice(method === undefined ? start : start + 1, end < 0 ? undefined : end);
  const body = end < 0 ? '' : lines.slice(end + 1).join('\n');
  return {
    ...(method === undefined || target === undefined ? {} : { method, target }),
    headers: head.flatMap(readHeader),
    ...(body === '' ? {} : { body }),
  };
}

function readHeader(line: string): readonly PastedHeader[] {
  if (credentialsAlone.test(line)) return [{ name: 'authorization', value: line.trim() }];
  const [, name, value] = headerLine.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [{ name: name.toLowerCase(), value }];
}
