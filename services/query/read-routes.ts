/** The handlers of all reads that end; the feed's stream is added in routes.ts. */
import type { RouteHandlers } from '#libs/http/handler.ts';
import { tenancyListings } from './client-and-product-listings.ts';
import { clientReads } from './clients.ts';
import { creditReads } from './credit.ts';
import { duesReads } from './dues.ts';
import { evidenceReads } from './evidence.ts';
import { FairScheduler, maxRequestCost } from './fair-scheduler.ts';
import { feedReads } from './feed/routes.ts';
import { loanListing } from './loan-listing.ts';
import { loanReads } from './loans.ts';
import { merchantReads } from './merchants.ts';
import { documentPages } from './pages/api-description.ts';
import type { ReadContext } from './read-context.ts';
import { receiptReads } from './receipts.ts';
import { rehearsalReads } from './rehearsals.ts';
import { requestReads } from './requests.ts';
import { simulationReads } from './simulation.ts';
import { tenancyBookReads } from './tenancy-book-reads.ts';

/** `maxCost` is that of a simulation, a rehearsal or a comparison of versions, in folded steps. */
export function readHandlers(context: ReadContext, maxCost: number = maxRequestCost): RouteHandlers {
  // Simulations and rehearsals share one scheduler, or each would get a share of its own. Whole books and statements have
  // others, so that they do not wait for the simulations of their Tenancy, nor for each other.
  const hypotheticals = new FairScheduler();
  const wholeBooks = new FairScheduler();
  const statements = new FairScheduler();
  return {
    ...loanReads(context, statements),
    ...loanListing(context),
    ...clientReads(context, { wholeBooks, statements }),
    ...receiptReads(context),
    ...merchantReads(context),
    ...creditReads(context),
    ...duesReads(context),
    ...evidenceReads(context),
    ...feedReads(context),
    ...simulationReads(context, hypotheticals, maxCost),
    ...requestReads(context),
    ...rehearsalReads(context, hypotheticals, maxCost),
    ...documentPages(),
    ...tenancyListings(context),
    ...tenancyBookReads(context),
  };
}
