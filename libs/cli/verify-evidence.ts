/** `lending verify-evidence`: checks the answer of an evidence route without a network. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fingerprint, fromBase64url } from '#libs/auth/signing-scheme.ts';
import { type VerifiedEvidence, verifyEvidence } from '#libs/verify/audit/verify-evidence.ts';
import { UsageError } from './command.ts';

const scope = {
  proved: 'the requests were signed by these keys, and the facts say what was signed',
  not_proved:
    'that no other fact was recorded; and what the service added, which is not signed: order, ids, moments, figures',
};

export async function runVerifyEvidence(file: string, { key }: { readonly key: readonly string[] }): Promise<void> {
  const trustedKeys = new Map(key.map(parseTrustedKey));
  const answer = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const evidence = verifyEvidence(parseAnswer(answer), trustedKeys);
  if (trustedKeys.size === 0) console.error(untrustedKeysWarning(evidence));
  const { subject, facts, keys } = evidence;
  console.log(JSON.stringify({ about: subject, facts, keys, ...scope }, null, 2));
}

function untrustedKeysWarning({ keys }: VerifiedEvidence): string {
  return `Warning: without --key the keys in the answer are trusted (${keys.join(', ')}); this proves only that their holders signed it.
To trust only a key that its holder gave you, use --key fp=PUBLICKEY.`;
}

function parseAnswer(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch (cause) {
    throw new Error('the file is not JSON; expected the answer of an evidence route', { cause });
  }
}

function parseTrustedKey(pair: string): readonly [string, Uint8Array] {
  const [fp = '', encoded = ''] = pair.split('=');
  const publicKey = /^[0-9a-f]{64}$/.test(encoded) ? Buffer.from(encoded, 'hex') : fromBase64url(encoded, 32);
  if (publicKey === undefined) {
    throw new UsageError(`--key is ${pair}. Expected fp=PUBLICKEY with 32 bytes in base64url or hexadecimal.`);
  }
  if (fingerprint(publicKey) !== fp) throw new UsageError(`${fp} is not the fingerprint of this key`);
  return [fp, publicKey];
}
