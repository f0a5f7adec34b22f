/** `lending verify-evidence`: checks the answer of an evidence route without a network. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { fingerprint, fromBase64url } from '#libs/auth/signing-scheme.ts';
import { type VerifiedEvidence, verifyEvidence } from '#libs/verify/audit/verify-evidence.ts';

export function addEvidenceCommand(program: Command): void {
  program
    .command('verify-evidence')
    .description('check the signatures, digests, keys and order in the answer of an evidence route, offline')
    .argument('<file>', 'the answer, - for standard input')
    .option('--key <fp=publickey>', 'a trusted public key; repeatable', collectKey, new Map<string, Uint8Array>())
    .addHelpText('after', evidenceHelp)
    .action(runVerifyEvidence);
}

const evidenceHelp = `
The answer names the public keys it was signed with. Without --key these keys are trusted: it is proved that their
holders signed, not who the holders are. With --key only the given keys are trusted: fp is the fingerprint and PUBLICKEY
the 32 bytes in base64url or hexadecimal, both received from the signer and not taken from the answer.

Proved: these keys signed the requests, and the facts about this Loan or Receipt and this Client say what was signed.
Not proved: that no other fact was recorded (a reversal may have been left out), and what the service added without a
signature: order, ids, moments and computed figures. lending audit checks those against the database.`;

const scope = {
  proved: 'the requests were signed by these keys, and the facts say what was signed',
  not_proved:
    'that no other fact was recorded; and what the service added, which is not signed: order, ids, moments, figures',
};

async function runVerifyEvidence(
  file: string,
  { key: trustedKeys }: { readonly key: ReadonlyMap<string, Uint8Array> },
): Promise<void> {
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

function collectKey(pair: string, previous: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const [fp = '', encoded = ''] = pair.split('=');
  const publicKey = /^[0-9a-f]{64}$/.test(encoded) ? Buffer.from(encoded, 'hex') : fromBase64url(encoded, 32);
  if (publicKey === undefined) {
    throw new InvalidArgumentError('Expected fp=PUBLICKEY with 32 bytes in base64url or hexadecimal.');
  }
  if (fingerprint(publicKey) !== fp) throw new InvalidArgumentError(`${fp} is not the fingerprint of this key.`);
  return new Map([...previous, [fp, publicKey]]);
}
