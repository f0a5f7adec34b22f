/** What the command line does: a table of contents. */
import { sendCall } from './call.ts';
import type { Command } from './command.ts';
import { prepareCell } from './prepare-cell.ts';
import { listKeys, mintKey, openTenancy, revokeKey } from './tenancies.ts';
import { verifyEvidenceCommand } from './verify-evidence.ts';

/** In the order in which they are told. */
export const commands: Readonly<Record<string, Command>> = {
  call: sendCall,
  'verify-evidence': verifyEvidenceCommand,
  'tenancy open': openTenancy,
  'key mint': mintKey,
  'key revoke': revokeKey,
  'key list': listKeys,
  prepare: prepareCell,
};
