/** A request as nearly all are sent: whole in one piece, and nothing in its head that changes how the line is read. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

const endOfHead = Buffer.from('\r\n\r\n');
const head = /^(?:GET|POST|PUT|DELETE) \/[!-~]* HTTP\/1\.1(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~]*)+$/;
const mostHeadBytes = 8 * 1024;
/** Node has a bound as well, and a higher one. */
const mostHeaders = 100;

/** Undefined for what is anything else or might be: it is for who reads HTTP in full. */
export function plainRequest(piece: Buffer): PlainRequest | undefined {
  const end = piece.indexOf(endOfHead);
  if (end < 0 || end > mostHeadBytes) return undefined;
  const text = piece.toString('latin1', 0, end);
  if (!head.test(text)) return undefined;
  const [first = '', ...lines] = text.split('\r\n');
  if (lines.length > mostHeaders) return undefined;
  const rawHeaders: string[] = [];
  let length: string | undefined;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    rawHeaders.push(name, value);
    if (!lengths.has(name.length)) continue;
    const known = name.toLowerCase();
    if (known === 'content-length') {
      if (length !== undefined || !/^[0-9]{1,9}$/.test(value)) return undefined;
      length = value;
    } else if (ofTheLine.has(known) && !/^keep-alive$/i.test(value)) return undefined;
  }
  if (end + endOfHead.length + Number(length ?? 0) !== piece.length) return undefined;
  const [method = '', url = ''] = first.split(' ', 2);
  return { method, url, rawHeaders };
}

const ofTheLine = new Set([
  'connection',
  'proxy-connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
]);
/** Most names are told from these by their length alone. */
const lengths = new Set([...ofTheLine, 'content-length'].map((name) => name.length));
