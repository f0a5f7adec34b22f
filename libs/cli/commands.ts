/** What the command line does: a table of contents. */
import { auditCommand } from './audit-cell.ts';
import { listParked, releaseBook } from './books.ts';
import { sendCall } from './call.ts';
import { showClient } from './client/show.ts';
import type { Command } from './command.ts';
import { followEvents } from './events.ts';
import { showLoan } from './loan/show.ts';
import { prepareCell } from './prepare-cell.ts';
import { rebuildCommand } from './rebuild-cell.ts';
import { postReceipts } from './receipts/post.ts';
import { listKeys, mintKey, openTenancy, revokeKey } from './tenancies.ts';
import { verifyEvidenceCommand } from './verify-evidence.ts';

/** In the order in which they are told. */
export const commands: Readonly<Record<string, Command>> = {
  call: sendCall,
  'receipts post': postReceipts,
  'loan show': showLoan,
  'client show': showClient,
  'events follow': followEvents,
  'verify-evidence': verifyEvidenceCommand,
  'tenancy open': openTenancy,
  'key mint': mintKey,
  'key revoke': revokeKey,
  'key list': listKeys,
  audit: auditCommand,
  'book parked': listParked,
  'book release': releaseBook,
  rebuild: rebuildCommand,
  prepare: prepareCell,
};
