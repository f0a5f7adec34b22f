/** Decides credit applications, resolutions of Decisions, and requests to open a facility. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import { type ApplicationBody, applicationBody, type CreditOffer } from '#libs/credit/application.ts';
import { refuseIfBarred } from '#libs/credit/bar.ts';
import { readCheckedPolicy } from '#libs/credit/check-policy.ts';
import { type DecidingPolicy, decideApplication, decisionAnswer } from '#libs/credit/decide.ts';
import { facilityAnswer } from '#libs/credit/drawdown.ts';
import { type FacilityBody, facilityBody, grantFacility } from '#libs/credit/facility.ts';
import { moneyJson } from '#libs/credit/numbers.ts';
import type { DecidingVersion } from '#libs/credit/policy-lifecycle.ts';
import { type ResolutionBody, resolutionAnswer, resolutionBody, resolveDecision } from '#libs/credit/resolution.ts';
import type { NewFact } from '#libs/ledger/book-decider.ts';
import {
  type ClientOperation,
  type DecisionContext,
  mintedId,
  type ResolvedConfiguration,
} from '#libs/ledger/client/admission.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import {
  barsOf,
  type CreditFactKind,
  encodeCreditRecord,
  facilitiesOf,
  findDecision,
  findFacility,
  findResolution,
  withCreditFact,
} from '#libs/ledger/client/credit-records.ts';
import { offeredTermsOf } from '#libs/product/product.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Looked up at ingress. It is immutable, or is used as it was when the application arrived. */
type ResolvedApplication = {
  readonly configuration: ResolvedConfiguration | null;
  readonly deciding: DecidingVersion | Refusal;
  readonly time_zone: string;
};

const decide: ClientOperation<ApplicationBody, ResolvedApplication> = {
  body: applicationBody,
  decide(book, submission, context) {
    if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
    const { configuration, deciding, time_zone: timeZone } = submission.resolved;
    if (configuration === null) return refuse('no_configuration', { field: '/configuration_version' });
    if (isRefusal(deciding)) return deciding;
    const application = submission.body;
    const decision = decideApplication({
      id: mintedId(submission, 0),
      application,
      deciding: decidingPolicy(deciding),
      offer: creditOfferOf(configuration),
      timeZone,
      recordedAt: context.at,
    });
    if (isRefusal(decision)) return decision;
    const submittedOn = dayOf(application.submitted_on);
    const barred = deciding.enforceBar ? refuseIfBarred(barsOf(book.credit), submittedOn) : undefined;
    if (barred !== undefined) return barred;
    const { fact, after } = recordCreditFact(book, 'credit_decided', encodeCreditRecord(decision), context);
    const answer = decisionText(after, decision.id);
    return {
      facts: [{ ...fact, occurredOn: submittedOn, listed: { listing: 'decisions', id: decision.id, row: answer } }],
      book: after,
      subject: decision.id,
      answer: () => ({ status: 201, body: answer }),
    };
  },
};

function decidingPolicy({ version, binding }: DecidingVersion): DecidingPolicy {
  return {
    name: version.policy,
    version: version.version,
    digest: version.digest,
    policy: readCheckedPolicy(version.content),
    selfConfirmed: version.publication?.selfConfirmed ?? false,
    binding,
  };
}

function creditOfferOf({ archetype, values }: ResolvedConfiguration): CreditOffer {
  const { principalMax, currency, terms } = offeredTermsOf(archetype, values);
  return { principal_max: moneyJson(principalMax, currency), terms };
}

const resolve: ClientOperation<ResolutionBody> = {
  body: resolutionBody,
  decide(book, submission, context) {
    const id = String(submission.params['decision_id']);
    const resolution = resolveDecision(submission.body, {
      decision: findDecision(book.credit, id)?.recorded,
      existing: findResolution(book.credit, id)?.recorded,
    });
    if (isRefusal(resolution)) return resolution;
    const { fact, after } = recordCreditFact(book, 'decision_resolved', encodeCreditRecord(resolution), context);
    return {
      facts: [fact],
      book: after,
      subject: resolution.decision_id,
      answer: () => ({ status: 201, body: resolutionText(after, id) }),
    };
  },
};

/** A facility is opened under the law of the Tenancy's home market. */
type ResolvedFacility = { readonly jurisdiction: string };

const openFacility: ClientOperation<FacilityBody, ResolvedFacility> = {
  body: facilityBody,
  decide(book, submission, context) {
    if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
    const { jurisdiction } = submission.resolved;
    const body = withLowerCaseIds(submission.body);
    const facility = grantFacility(body, {
      id: mintedId(submission, 0),
      decision: findDecision(book.credit, body.decision_id)?.recorded,
      resolution: findResolution(book.credit, body.decision_id)?.recorded,
      facilities: facilitiesOf(book.credit),
      maxOpenDays: context.markets.get(jurisdiction)?.facilityWindow.value,
    });
    if (isRefusal(facility)) return facility;
    const { fact, after } = recordCreditFact(book, 'facility_opened', encodeCreditRecord(facility), context);
    const row = facilityText(after, facility.id);
    return {
      facts: [
        { ...fact, occurredOn: dayOf(facility.opens_on), listed: { listing: 'facilities', id: facility.id, row } },
      ],
      book: after,
      subject: facility.id,
      answer: () => ({ status: 201, body: row }),
    };
  },
};

/** UUIDs are case-insensitive and stored in lower case. */
function withLowerCaseIds(body: FacilityBody): FacilityBody {
  const { decision_id, supersedes } = body;
  return {
    ...body,
    decision_id: decision_id.toLowerCase(),
    ...(supersedes === undefined ? {} : { supersedes: supersedes.toLowerCase() }),
  };
}

/** The book version does not count credit facts, because no figure of a Loan depends on them. */
function recordCreditFact(
  book: ClientBook,
  kind: CreditFactKind,
  body: string,
  { at }: DecisionContext,
): { readonly fact: NewFact; readonly after: ClientBook } {
  const credit = withCreditFact(book.credit, kind, body, formatMoment(at));
  return { fact: { kind, body, counts: false }, after: { ...book, sequence: book.sequence + 1, credit } };
}

/** By operation. */
export const creditOperations = { decide, resolveDecision: resolve, openFacility };

export function decisionText(book: ClientBook, id: string): string {
  const decision = findDecision(book.credit, id);
  if (decision === undefined) throw new Error(`Decision ${id} is not in the book of Client ${book.clientId}`);
  return JSON.stringify(decisionAnswer(decision.recorded, decision.at));
}

export function resolutionText(book: ClientBook, decisionId: string): string {
  const resolution = findResolution(book.credit, decisionId);
  if (resolution === undefined) {
    throw new Error(`Decision ${decisionId} has no resolution in the book of Client ${book.clientId}`);
  }
  return JSON.stringify(resolutionAnswer(resolution.recorded, resolution.at));
}

export function facilityText(book: ClientBook, id: string): string {
  const facility = findFacility(book.credit, id);
  if (facility === undefined) throw new Error(`facility ${id} is not in the book of Client ${book.clientId}`);
  return JSON.stringify(facilityAnswer(facility.recorded, facilitiesOf(book.credit), facility.at));
}
