/** `lending verify-evidence FILE|-`: an answer of an evidence route, checked without any network. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Proven, verifyEvidence } from '#libs/audit/evidence-answer.ts';
import { fromBase64url } from '#libs/signing/base64url.ts';
import { fingerprint } from '#libs/signing/fingerprint.ts';
import { type Command, type Typed, texts, UsageError } from './command.ts';

/** Nothing is asked of any service: whoever holds the answer needs no key of ours. */
export const verifyEvidenceCommand: Command = {
  usage: 'verify-evidence FILE|- [--key fp=PUBLICKEY]...',
  what: 'checks the answer of an evidence route by itself: signatures, digests, keys, order; --key names trusted ones',
  options: { key: 'texts' },
  async run({ positionals: [file], options }: Typed) {
    console.log(JSON.stringify(await verifyEvidenceFile(file, texts(options['key'])), null, 2));
  },
};

/** Throws what the first fault is. `keys` are `fp=PUBLICKEY`, as whoever asks was told them elsewhere. */
async function verifyEvidenceFile(file: string | undefined, keys: readonly string[]): Promise<Proven> {
  if (file === undefined) throw new UsageError('FILE is missing; - reads standard input');
  const pinned = new Map(keys.map(pinnedKey));
  const answer = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  return verifyEvidence(parsed(answer), pinned);
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch (cause) {
    throw new Error('this is not JSON', { cause });
  }
}

function pinnedKey(pair: string): [string, Uint8Array] {
  const [fp = '', written = ''] = pair.split('=');
  const publicKey = /^[0-9a-f]{64}$/.test(written) ? Buffer.from(written, 'hex') : fromBase64url(written, 32);
  if (publicKey === undefined) throw new UsageError('--key is fp=PUBLICKEY: 32 bytes in base64url or hexadecimal');
  if (fingerprint(publicKey) !== fp) throw new UsageError(`--key: ${fp} is not the fingerprint of that key`);
  return [fp, publicKey];
}
