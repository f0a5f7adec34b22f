/** Credit decisions, a person's resolution of one, and the facilities that stand on them. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import type { Application, Offer } from '#libs/credit/application.ts';
import { refuseBarred } from '#libs/credit/bar.ts';
import { policyOf } from '#libs/credit/check-policy.ts';
import { decide, decisionAnswer } from '#libs/credit/decide.ts';
import { facilityAnswer } from '#libs/credit/drawdown.ts';
import { type FacilityBody, grant } from '#libs/credit/facility.ts';
import type { DecidingVersion } from '#libs/credit/lifecycle.ts';
import { moneyOf } from '#libs/credit/money.ts';
import { type ResolutionBody, resolutionAnswer, resolve } from '#libs/credit/resolution.ts';
import type { NewFact } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import {
  barsOf,
  type CreditKind,
  decisionNamed,
  facilitiesOf,
  facilityNamed,
  resolutionOf,
  storeRecord,
  withCreditFact,
} from '#libs/ledger/client/credit.ts';
import { type Decide, minted, type Setting } from '#libs/ledger/client/decision.ts';
import { offerOf } from '#libs/product/product.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** What an application names, looked up where it came in: none of it changes afterwards, or it is told as it was then. */
export type ResolvedApplication = {
  readonly configuration: { readonly archetype: Archetype; readonly values: JsonObject } | null;
  readonly deciding: DecidingVersion | Refusal;
  readonly time_zone: string;
};

const decideApplication: Decide = (book, submission, setting) => {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const { configuration, deciding, time_zone: timeZone } = submission.resolved as unknown as ResolvedApplication;
  if (configuration === null) return refuse('no_configuration', { field: '/configuration_version' });
  if (isRefusal(deciding)) return deciding;
  const application = submission.body as unknown as Application;
  const { version, binding, enforceBar } = deciding;
  const decision = decide({
    id: minted(submission, 0),
    application,
    deciding: {
      name: version.policy,
      version: version.version,
      digest: version.digest,
      policy: policyOf(version.content),
      selfConfirmed: version.publication?.selfConfirmed ?? false,
      binding,
    },
    offer: offeredBy(configuration),
    timeZone,
    recordedAt: setting.at,
  });
  if (isRefusal(decision)) return decision;
  const submittedOn = dayOf(application.submitted_on);
  const barred = enforceBar ? refuseBarred(barsOf(book.credit), submittedOn) : undefined;
  if (barred !== undefined) return barred;
  const { fact, after } = recorded(book, 'credit_decided', storeRecord(decision), setting);
  const answer = decisionText(after, decision.id);
  return {
    facts: [{ ...fact, occurredOn: submittedOn, listed: { listing: 'decisions', id: decision.id, row: answer } }],
    book: after,
    subject: decision.id,
    answer: () => ({ status: 201, body: answer }),
  };
};

function offeredBy({ archetype, values }: NonNullable<ResolvedApplication['configuration']>): Offer {
  const { principalMax, currency, terms } = offerOf(archetype, values);
  return { principal_max: moneyOf(principalMax, currency), terms };
}

const decideResolution: Decide = (book, submission, setting) => {
  const id = String(submission.params['decision_id']);
  const decision = decisionNamed(book.credit, id)?.recorded;
  const standing = resolutionOf(book.credit, id)?.recorded;
  const resolution = resolve(submission.body as unknown as ResolutionBody, { decision, standing });
  if (isRefusal(resolution)) return resolution;
  const { fact, after } = recorded(book, 'decision_resolved', storeRecord(resolution), setting);
  return {
    facts: [fact],
    book: after,
    subject: resolution.decision_id,
    answer: () => ({ status: 201, body: resolutionText(after, id) }),
  };
};

/** The law a facility is opened under is that of the lender's home. */
type ResolvedFacility = { readonly jurisdiction: string };

const decideFacility: Decide = (book, submission, setting) => {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const { jurisdiction } = submission.resolved as unknown as ResolvedFacility;
  const body = lowered(submission.body as unknown as FacilityBody);
  const facility = grant(body, {
    id: minted(submission, 0),
    decision: decisionNamed(book.credit, body.decision_id)?.recorded,
    resolution: resolutionOf(book.credit, body.decision_id)?.recorded,
    facilities: facilitiesOf(book.credit),
    windowDays: setting.markets.get(jurisdiction)?.facilityWindow.value,
  });
  if (isRefusal(facility)) return facility;
  const { fact, after } = recorded(book, 'facility_opened', storeRecord(facility), setting);
  const row = facilityText(after, facility.id);
  return {
    facts: [{ ...fact, occurredOn: dayOf(facility.opens_on), listed: { listing: 'facilities', id: facility.id, row } }],
    book: after,
    subject: facility.id,
    answer: () => ({ status: 201, body: row }),
  };
};

/** A UUID is the same in either case, and is kept in lower. */
function lowered(body: FacilityBody): FacilityBody {
  const { decision_id, supersedes } = body;
  return {
    ...body,
    decision_id: decision_id.toLowerCase(),
    ...(supersedes === undefined ? {} : { supersedes: supersedes.toLowerCase() }),
  };
}

/** No book version counts it: no figure of a Loan comes of it. */
function recorded(book: ClientBook, kind: CreditKind, body: string, { at }: Setting) {
  const fact: NewFact = { kind, body, counts: false };
  const credit = withCreditFact(book.credit, kind, JSON.parse(body) as object, formatMoment(at));
  return { fact, after: { ...book, sequence: book.sequence + 1, credit } satisfies ClientBook };
}

export const creditActs: { readonly [operation: string]: Decide } = {
  decide: decideApplication,
  resolveDecision: decideResolution,
  openFacility: decideFacility,
};

export function decisionText(book: ClientBook, id: string): string {
  const found = decisionNamed(book.credit, id);
  if (found === undefined) throw new Error('a recorded Decision is in its book');
  return JSON.stringify(decisionAnswer(found.recorded, found.at));
}

export function resolutionText(book: ClientBook, decisionId: string): string {
  const found = resolutionOf(book.credit, decisionId);
  if (found === undefined) throw new Error('a recorded resolution is in its book');
  return JSON.stringify(resolutionAnswer(found.recorded, found.at));
}

export function facilityText(book: ClientBook, id: string): string {
  const found = facilityNamed(book.credit, id);
  if (found === undefined) throw new Error('a recorded Facility is in its book');
  return JSON.stringify(facilityAnswer(found.recorded, facilitiesOf(book.credit), found.at));
}
