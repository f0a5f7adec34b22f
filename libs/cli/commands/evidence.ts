/** Defines `lending verify-evidence`. */
import type { Command } from 'commander';
import { collect, describeCommand } from '../command.ts';

export function addEvidenceCommand(program: Command): void {
  const command = program
    .command('verify-evidence')
    .description('check the signatures, digests, keys and order in the answer of an evidence route, offline')
    .argument('<file>', 'the answer, - for standard input')
    .option('--key <fp=publickey>', 'a trusted public key; repeatable', collect, [])
    .action(async (file: string, options: { readonly key: readonly string[] }) =>
      (await import('../verify-evidence.ts')).runVerifyEvidence(file, options),
    );
  describeCommand(command, {
    effect: 'reads',
    examples: [
      'call GET /v1/tenants/demo/receipts/spei-1/evidence > evidence.json',
      'verify-evidence evidence.json --key 29e0994ff8ff48a7c1c951f32be1b8f3=PUBLICKEY',
    ],
    details: `
The answer names the public keys it was signed with. Without --key these keys are trusted: it is proved that their
holders signed, not who the holders are. With --key only the given keys are trusted: fp is the fingerprint and PUBLICKEY
the 32 bytes in base64url or hexadecimal, both received from the signer and not taken from the answer.

Proved: these keys signed the requests, and the facts about this Loan or Receipt and this Client say what was signed.

Not proved: that no other fact was recorded (a reversal may have been left out), and what the service added without a
signature: order, ids, moments and computed figures. lending audit checks those against the database.`,
  });
}
