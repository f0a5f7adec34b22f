/** Reads an `Authorization` header that may be malformed as far as possible, and names what is wrong with it. */
import { fingerprint, parseAuthorization, signatureBytes } from '#libs/auth/signing-scheme.ts';

export type HeaderFault =
  | 'absent'
  | 'repeated'
  | 'scheme'
  | 'spaces'
  | 'quotes'
  | 'order'
  | 'parameters'
  | 'fingerprint'
  | 'timestamp'
  | 'base64'
  | 'padding'
  | 'hexadecimal'
  | 'length'
  | 'form';

export interface StatedCredentials {
  /** None where the service can use the header. */
  readonly faults: readonly HeaderFault[];
  readonly fp?: string;
  readonly ts?: string;
  readonly sig?: string;
  /** Decoded, whatever its encoding; absent where it has not the length of a signature. */
  readonly signature?: Uint8Array;
}

/** `values`: of every `Authorization` header of the request. */
export function readStatedCredentials(values: readonly string[]): StatedCredentials {
  const [value] = values;
  if (value === undefined) return { faults: ['absent'] };
  const repeated: readonly HeaderFault[] = values.length > 1 ? ['repeated'] : [];
  const credentials = parseAuthorization(value);
  const parameters = readParameters(value);
  const { fp, ts, sig } = Object.fromEntries(parameters.pairs);
  const signature = credentials?.signature ?? (sig === undefined ? undefined : decodeSignature(sig));
  const found = credentials === undefined ? faultsOf(value, parameters) : [];
  return {
    faults: [...repeated, ...found],
    ...(fp === undefined ? {} : { fp }),
    ...(ts === undefined ? {} : { ts }),
    ...(sig === undefined ? {} : { sig }),
    ...(signature === undefined ? {} : { signature }),
  };
}

/** The names by which a key may be meant: the fingerprint, a longer digest, or the public key itself. */
export function fingerprintsMeant(fp: string): readonly string[] {
  const hex = fp.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) return [hex];
  return [hex.slice(0, 32), fingerprint(Buffer.from(hex, 'hex'))];
}

interface Parameters {
  readonly scheme: string;
  readonly pairs: readonly (readonly [string, string])[];
}

function readParameters(value: string): Parameters {
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(value) ?? [];
  const pairs = rest.split(/[,;]|\s+(?=\w+\s*=)/).flatMap((part): [string, string][] => {
    const [, name, text] = /^\s*(\w+)\s*=\s*"?(.*?)"?\s*$/s.exec(part) ?? [];
    return name === undefined || text === undefined ? [] : [[name.toLowerCase(), text]];
  });
  return { scheme, pairs };
}

function faultsOf(value: string, { scheme, pairs }: Parameters): readonly HeaderFault[] {
  const names = pairs.map(([name]) => name).join();
  const { fp, ts, sig } = Object.fromEntries(pairs);
  const isComplete = fp !== undefined && ts !== undefined && sig !== undefined;
  const checks: readonly (readonly [HeaderFault, boolean])[] = [
    ['scheme', scheme !== 'Service-Ed25519'],
    ['parameters', pairs.length !== 3 || !isComplete],
    ['order', isComplete && pairs.length === 3 && names !== 'fp,ts,sig'],
    ['quotes', value.includes('"')],
    ['spaces', /\s.*\s/.test(value)],
    ['fingerprint', fp !== undefined && !/^[0-9a-f]{32}$/.test(fp)],
    ['timestamp', ts !== undefined && !/^(0|[1-9][0-9]{0,15})$/.test(ts)],
  ];
  const found = checks.filter(([, isFound]) => isFound).map(([fault]) => fault);
  const ofSignature = sig === undefined ? [] : signatureFaults(sig);
  const all = [...found, ...ofSignature];
  return all.length === 0 ? ['form'] : all;
}

const hexSignature = /^[0-9a-f]{128}$/i;

function signatureFaults(sig: string): readonly HeaderFault[] {
  if (hexSignature.test(sig)) return ['hexadecimal'];
  const faults: readonly (readonly [HeaderFault, boolean])[] = [
    ['base64', /[+/]/.test(sig)],
    ['padding', sig.endsWith('=')],
    ['length', decodeSignature(sig) === undefined],
  ];
  return faults.filter(([, isFound]) => isFound).map(([fault]) => fault);
}

function decodeSignature(sig: string): Uint8Array | undefined {
  const bytes = Buffer.from(sig, hexSignature.test(sig) ? 'hex' : 'base64');
  return bytes.length === signatureBytes ? bytes : undefined;
}
