/** Canonical strings that callers sign by mistake: what the signature of a request may cover instead of the right one. */
import { createHash } from 'node:crypto';
import { canonicalString, type SignedContent } from '#libs/auth/signing-scheme.ts';

/** Names what differs from the right string. */
export type Mistake = (typeof mistakes)[number];

export const mistakes = [
  'methodLowerCase',
  'methodOther',
  'queryLeftOut',
  'wholeUrl',
  'versionDoubled',
  'versionLeftOut',
  'targetDecoded',
  'targetEncoded',
  'escapesOfOtherCase',
  'slashAtEnd',
  'querySorted',
  'tsInMilliseconds',
  'tsInSeconds',
  'bodyNewlineAdded',
  'bodyNewlineRemoved',
  'bodyLineEnds',
  'bodyWhiteSpace',
  'bodyLeftOut',
  'bodyOfNothing',
  'digestUpperCase',
  'digestBase64',
  'digestLeftOut',
  'digestIsBody',
  'idempotencyKeyLeftOut',
  'lineFeedAtEnd',
  'carriageReturns',
  'linesJoined',
  'backslashes',
  'digestOfString',
] as const;

export interface SentRequest extends Omit<SignedContent, 'bodySha256'> {
  readonly body: Buffer;
  /** The value of the header `Host`. */
  readonly host?: string | undefined;
}

export interface SignedVariant {
  /** One or two. */
  readonly mistakes: readonly Mistake[];
  readonly canonical: string;
}

/** What is signed, and how its lines become one string. */
interface Draft {
  readonly content: SignedContent;
  readonly join: (content: SignedContent) => string;
}

interface Change {
  readonly mistake: Mistake;
  readonly apply: (draft: Draft) => Draft;
}

/** Some hundred strings: first those with one mistake, then those with two of different kinds. */
export function signedVariants(request: SentRequest): readonly SignedVariant[] {
  const right: Draft = { content: contentOf(request), join: canonicalString };
  const kinds = [
    methodChanges(request),
    targetChanges(request),
    timeChanges(request),
    bodyChanges(request),
    request.idempotencyKey === undefined ? [] : [change('idempotencyKeyLeftOut', { idempotencyKey: undefined })],
    joinChanges,
  ];
  const single = kinds.flat().map((each) => [each]);
  const double = kinds.flatMap((changes, index) =>
    changes.flatMap((first) =>
      kinds
        .slice(index + 1)
        .flat()
        .map((second) => [first, second]),
    ),
  );
  const seen = new Set([canonicalString(right.content)]);
  return [...single, ...double].flatMap((changes) => {
    const { content, join } = changes.reduce((draft, { apply }) => apply(draft), right);
    const canonical = join(content);
    if (seen.has(canonical)) return [];
    seen.add(canonical);
    return [{ mistakes: changes.map(({ mistake }) => mistake), canonical }];
  });
}

export function contentOf({ method, target, ts, body, idempotencyKey }: SentRequest): SignedContent {
  return { method, target, ts, bodySha256: sha256(body), idempotencyKey };
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function change(mistake: Mistake, over: Partial<SignedContent>): Change {
  return { mistake, apply: ({ content, join }) => ({ content: { ...content, ...over }, join }) };
}

function methodChanges({ method }: SentRequest): readonly Change[] {
  const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((other) => other !== method);
  return [
    change('methodLowerCase', { method: method.toLowerCase() }),
    ...others.map((other) => change('methodOther', { method: other })),
  ];
}

function targetChanges({ target, host }: SentRequest): readonly Change[] {
  const [path = '', query] = splitOnce(target, '?');
  const search = query === undefined ? '' : `?${query}`;
  const sorted = query === undefined ? '' : `?${query.split('&').sort().join('&')}`;
  const of = (mistake: Mistake, ...targets: readonly string[]): readonly Change[] =>
    targets.map((other) => change(mistake, { target: other }));
  return [
    ...of('queryLeftOut', path),
    ...(host === undefined ? [] : of('wholeUrl', `https://${host}${target}`, `http://${host}${target}`)),
    ...of('versionDoubled', `/v1${target}`),
    ...of('versionLeftOut', target.replace(/^\/v1(?=\/)/, '')),
    ...of('targetDecoded', decoded(target)),
    ...of('targetEncoded', encodeURI(target), `${path}${search.replaceAll('%20', '+')}`),
    ...of('escapesOfOtherCase', escapes(target, 'toLowerCase'), escapes(target, 'toUpperCase')),
    ...of('slashAtEnd', path.endsWith('/') ? `${path.slice(0, -1)}${search}` : `${path}/${search}`),
    ...of('querySorted', `${path}${sorted}`),
  ];
}

function timeChanges({ ts }: SentRequest): readonly Change[] {
  const isInMilliseconds = ts.length >= 13;
  return isInMilliseconds
    ? [change('tsInSeconds', { ts: ts.slice(0, -3) })]
    : [change('tsInMilliseconds', { ts: `${ts}000` })];
}

function bodyChanges({ body }: SentRequest): readonly Change[] {
  const text = body.toString('latin1');
  const signed = (mistake: Mistake, ...bodies: readonly string[]): readonly Change[] =>
    bodies.map((other) => change(mistake, { bodySha256: sha256(Buffer.from(other, 'latin1')) }));
  const digest = createHash('sha256').update(body).digest();
  const encoded: readonly Change[] = [
    change('digestUpperCase', { bodySha256: digest.toString('hex').toUpperCase() }),
    change('digestBase64', { bodySha256: digest.toString('base64') }),
    change('digestBase64', { bodySha256: digest.toString('base64url') }),
    change('digestLeftOut', { bodySha256: '' }),
  ];
  if (text === '') return [...encoded, ...signed('bodyOfNothing', '{}', 'null', '""')];
  return [
    ...signed('bodyNewlineAdded', `${text}\n`, `${text}\r\n`),
    ...signed('bodyNewlineRemoved', text.replace(/[\r\n]+$/, '')),
    ...signed('bodyLineEnds', text.replace(/\r?\n/g, '\r\n'), text.replace(/\r\n/g, '\n')),
    ...signed('bodyWhiteSpace', ...otherJson(body)),
    ...signed('bodyLeftOut', ''),
    ...encoded,
    change('digestIsBody', { bodySha256: text }),
  ];
}

/** The same JSON as the libraries of common languages write it. */
function otherJson(body: Buffer): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return [];
  }
  const compact = JSON.stringify(value);
  const indented = [2, 4].map((spaces) => JSON.stringify(value, null, spaces));
  // As Python's json.dumps: a space after each separator outside of strings.
  const spaced = compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
  return [compact, spaced, ...indented].map((text) => Buffer.from(text).toString('latin1'));
}

function joined(mistake: Mistake, join: Draft['join']): Change {
  return { mistake, apply: ({ content }) => ({ content, join }) };
}

const joinChanges: readonly Change[] = [
  joined('lineFeedAtEnd', (content) => `${canonicalString(content)}\n`),
  joined('carriageReturns', (content) => canonicalString(content).replaceAll('\n', '\r\n')),
  joined('backslashes', (content) => canonicalString(content).replaceAll('\n', '\\n')),
  joined('linesJoined', (content) => canonicalString(content).replaceAll('\n', '')),
  joined('digestOfString', (content) => sha256(Buffer.from(canonicalString(content), 'latin1'))),
  joined('digestOfString', (content) =>
    Buffer.from(sha256(Buffer.from(canonicalString(content), 'latin1')), 'hex').toString('latin1'),
  ),
];

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(target: string): string {
  try {
    return Buffer.from(decodeURIComponent(target)).toString('latin1');
  } catch {
    return target;
  }
}

function escapes(target: string, change: 'toLowerCase' | 'toUpperCase'): string {
  return target.replace(/%[0-9a-f]{2}/gi, (sequence) => sequence[change]());
}
