/** Why a request got no response: the cause inside `fetch failed`, in words, and what to do about it. */
import { types } from 'node:util';

export interface ConnectionFailure {
  /** Of the system, of OpenSSL or of Node's HTTP client, such as ECONNREFUSED. */
  readonly code: string | undefined;
  readonly reason: string;
  readonly hint: string;
  /** Nothing was sent: the request may be sent again, whatever it is. */
  readonly isBeforeSending: boolean;
}

const untrustedCodes = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];
const untrusted = [
  'the certificate is signed by an authority that is not trusted here',
  'Name the file of the authority in NODE_EXTRA_CA_CERTS.',
] as const;

const mayBeRecorded =
  'The service may be overloaded: run the command again. What was sent may be recorded; the same reference keeps it from being recorded twice.';
const generalHint = 'Check the address, the network and the proxies in between, then run the command again.';

const failures: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ECONNREFUSED: [
    'the connection was refused: nothing listens there',
    'Check the address, or start the service; --patience 30s waits for it.',
  ],
  ENOTFOUND: ['no such host is known', 'Check the host name in the address.'],
  EAI_AGAIN: ['the host name could not be looked up', 'Check the network and its name server; --patience 30s waits.'],
  EHOSTUNREACH: ['there is no route to the host', 'Check the network, a VPN or a firewall.'],
  ENETUNREACH: ['the network cannot be reached', 'Check the network, a VPN or a firewall.'],
  ETIMEDOUT: ['no reply came in time', 'Check the address, a VPN or a firewall.'],
  UND_ERR_CONNECT_TIMEOUT: ['the connection was not accepted in time', 'Check the address, a VPN or a firewall.'],
  CERT_HAS_EXPIRED: ['the certificate of the service has expired', 'Tell the operator, or check the clock here.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'the certificate belongs to another host name',
    'Use the host name that the certificate names.',
  ],
  ...Object.fromEntries(untrustedCodes.map((code) => [code, untrusted])),
  ERR_SSL_WRONG_VERSION_NUMBER: ['the port does not speak HTTPS', 'Use http:// in the address, or another port.'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['the port does not speak HTTPS', 'Use http:// in the address, or another port.'],
  UND_ERR_SOCKET: [
    'the connection was closed before an answer',
    'Check that the port is that of the service, and http or https.',
  ],
  ECONNRESET: [
    'the connection was closed before an answer',
    'It may have arrived all the same: send it again with the same reference.',
  ],
  // Node's HTTP client itself waits no longer.
  UND_ERR_HEADERS_TIMEOUT: ['no answer within 300 s', mayBeRecorded],
};

/** The other codes also come where a connection breaks after the request was sent. */
const codesBeforeSending: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  ...untrustedCodes,
]);
const callsBeforeSending: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** `timeoutMs`: how long an answer was waited for, where that is limited. */
export function explainFailure(cause: unknown, timeoutMs?: number): ConnectionFailure {
  if (timeoutMs !== undefined && isTimeout(cause)) {
    const reason = `no answer within ${timeoutMs / 1_000} s`;
    return { code: undefined, reason, hint: mayBeRecorded, isBeforeSending: false };
  }
  const inner = innermost(cause);
  const { code, syscall } = inner as { readonly code?: unknown; readonly syscall?: unknown };
  const name = typeof code === 'string' ? code : undefined;
  const [reason = inner.message, hint = generalHint] = failures[name ?? ''] ?? [];
  return {
    code: name,
    reason,
    hint,
    isBeforeSending: codesBeforeSending.has(code) || callsBeforeSending.has(syscall),
  };
}

/** Of `AbortSignal.timeout`. */
function isTimeout(cause: unknown): boolean {
  return (cause as { readonly name?: unknown } | undefined)?.name === 'TimeoutError';
}

/** A host with several addresses fails with one error for each; the first is shown. */
function innermost(cause: unknown): Error {
  // Not by instanceof: an error of Node's HTTP client may come from another realm.
  if (!types.isNativeError(cause)) return new Error(String(cause));
  const [first] = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors : [];
  const next: unknown = first ?? cause.cause;
  return types.isNativeError(next) ? innermost(next) : cause;
}
