/** `lending verify-evidence FILE|-`: an answer of an evidence route, checked without any network. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fromBase64url } from '#libs/auth/base64url.ts';
import { fingerprint } from '#libs/auth/fingerprint.ts';
import { type Proven, verifyEvidence } from '#libs/verify/audit/evidence-answer.ts';
import { type Command, type Typed, texts, UsageError } from './command.ts';

/** Nothing is asked of any service: whoever holds the answer needs no key of ours. */
export const verifyEvidenceCommand: Command = {
  usage: 'verify-evidence FILE|- [--key fp=PUBLICKEY]...',
  what: 'checks the answer of an evidence route by itself: signatures, digests, keys, order; --key names trusted ones',
  needs: 'nobody',
  more: `An answer names the public keys it was signed with. Without --key these are believed: it is proved that whoever holds
them signed, not who that is. With --key the keys you name are believed and no others: fp is the fingerprint, PUBLICKEY the
32 bytes in base64url or hexadecimal, both as the signer told you and not as the answer does.
Proved is that the requests were signed by these keys, and that the facts say what was signed, of this Loan or Receipt and
this Client. It is not proved that no other fact was recorded (a reversal may have been cut out), nor what the service
added, which nobody signed: order, ids, moments and the figures it worked out. lending audit holds those to the database.`,
  options: { key: 'texts' },
  async run({ positionals: [file], options }: Typed) {
    const named = texts(options['key']);
    const proven = await verifyEvidenceFile(file, named);
    if (named.length === 0) console.error(believedUnasked(proven));
    console.log(JSON.stringify({ ...proven, ...reach }, null, 2));
  },
};

const reach = {
  proved: 'the requests were signed by these keys, and the facts say what was signed',
  not_proved:
    'that no other fact was recorded; and what the service added, which is not signed: order, ids, moments, figures',
};

function believedUnasked({ keys }: Proven): string {
  return `Mind: without --key the public keys that the answer itself names are believed (${keys.join(', ')}): whoever holds them signed this.
To believe only a key that its holder told you: --key fp=PUBLICKEY.`;
}

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
