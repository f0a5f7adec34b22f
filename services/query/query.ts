/** Every read there is that is answered and done, by the name of its route. */
import type { RouteHandlers } from '#libs/http/handler.ts';
import { changelog } from './changelog.ts';
import { clientReads } from './clients.ts';
import { companyProfileReads } from './company-profile.ts';
import { creditReads } from './credit.ts';
import { duesReads } from './dues.ts';
import { evidenceReads } from './evidence.ts';
import { Aside } from './fair-scheduler.ts';
import { feedReads } from './feed/page.ts';
import { loanListing } from './loan-listing.ts';
import { loanReads } from './loans.ts';
import { lookupKeyReads } from './lookup-keys.ts';
import { merchantReads } from './merchants.ts';
import { policyReads } from './policies.ts';
import type { ReadContext } from './reads.ts';
import { receiptReads } from './receipts.ts';
import { reference } from './reference.ts';
import { rehearsalReads } from './rehearsals.ts';
import { simulationReads } from './simulation.ts';
import { tenancyListings } from './tenancy-listings.ts';
import { servedByVersion } from './version-filter.ts';

export function queryHandlers(reads: ReadContext): RouteHandlers {
  // One for all that supposes: each beside the others would take a share of its own. And one for whole books, which are not
  // to wait for what their Tenancy supposes.
  const [aside, wholeBooks] = [new Aside(), new Aside()];
  return servedByVersion(reads.contract, {
    ...loanReads(reads),
    ...loanListing(reads),
    ...clientReads(reads, wholeBooks),
    ...receiptReads(reads),
    ...merchantReads(reads),
    ...creditReads(reads),
    ...duesReads(reads),
    ...evidenceReads(reads),
    ...feedReads(reads),
    ...simulationReads(reads, aside),
    ...rehearsalReads(reads, aside),
    ...changelog(reads.contract),
    ...reference(),
    ...tenancyListings(reads),
    ...lookupKeyReads(reads),
    ...policyReads(reads),
    ...companyProfileReads(reads),
  });
}
