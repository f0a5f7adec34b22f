/** Checks a policy's content. A policy that passes decides every application, and in exactly one way. */

import { JsonReader } from '#libs/credit/json-reader.ts';
import { ceiling, type Decimal, decimalRateForm, rateOfFraction } from '#libs/credit/numbers.ts';
import type { Band, Bin, NumberRange, Policy } from '#libs/credit/policy.ts';
import { type PolicyFinding, policyFindings } from '#libs/credit/policy-warnings.ts';
import { readPolicyContent } from '#libs/credit/read-policy.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { refusalOfFaults } from '#libs/schema/schema.ts';

export type CheckedPolicy = { readonly policy: Policy; readonly findings: readonly PolicyFinding[] };

export function checkPolicy(content: unknown): CheckedPolicy | Refusal {
  const reader = new JsonReader();
  const policy = readPolicyContent(reader, content);
  if (reader.firstFault === undefined) checkConsistency(reader, policy);
  if (reader.firstFault !== undefined) {
    return refusalOfFaults(
      reader.faults.map(({ field, ...fault }) => ({ code: 'invalid_policy', at: field, ...fault })),
    );
  }
  return { policy, findings: policyFindings(policy) };
}

/** Parses a content that passed `checkPolicy` when it was drafted. A fault in it is a defect of the service. */
export function readCheckedPolicy(content: unknown): Policy {
  const reader = new JsonReader();
  const policy = readPolicyContent(reader, content);
  const { firstFault } = reader;
  if (firstFault !== undefined) {
    throw new Error(`a drafted policy has a fault at ${firstFault.field}: ${firstFault.bound}`);
  }
  return policy;
}

/** Refuses a policy with an approving rate that cannot be written as a decimal, since no Loan could state it. */
export function refuseRateWithoutDecimal(policy: Policy): Refusal | undefined {
  for (const [index, { outcome, rate }] of policy.bands.entries()) {
    // Only the rate of an approving band reaches a Loan.
    if (outcome !== 'approve' || rate === undefined || rateOfFraction(rate) !== undefined) continue;
    const observed = `${rate.numerator}/${rate.denominator}`;
    return refuse('rate_without_decimal', { field: `/content/bands/${index}/rate`, bound: decimalRateForm, observed });
  }
  return undefined;
}

/** The rules that span several members of the content. */
function checkConsistency(reader: JsonReader, policy: Policy): void {
  checkUniqueIds(reader, '/content/knockouts', policy.knockouts);
  checkUniqueIds(reader, '/content/scorecard', policy.scorecard);
  checkUniqueIds(reader, '/content/bands', policy.bands);
  checkAttributeNames(reader, '/content/knockouts', policy);
  checkAttributeNames(reader, '/content/scorecard', policy);
  for (const [index, { bins }] of policy.scorecard.entries()) {
    checkNoOverlap(reader, `/content/scorecard/${index}/bins`, bins);
  }
  checkBands(reader, policy.bands);
  checkCurrency(reader, policy.bands);
}

function checkUniqueIds(reader: JsonReader, at: string, rules: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of rules.entries()) {
    if (seen.has(id)) reader.addFault(`${at}/${index}/id`, 'an id used once', id);
    seen.add(id);
  }
}

function checkAttributeNames(
  reader: JsonReader,
  at: '/content/knockouts' | '/content/scorecard',
  policy: Policy,
): void {
  const rules = at === '/content/knockouts' ? policy.knockouts : policy.scorecard;
  for (const [index, { attribute }] of rules.entries()) {
    if (!policy.attributes.has(attribute)) {
      reader.addFault(`${at}/${index}/attribute`, 'a name in attributes', attribute);
    }
  }
}

/** A number in two bins would earn two numbers of points. The order in which bins are listed has no meaning. */
function checkNoOverlap(reader: JsonReader, at: string, bins: readonly Bin[]): void {
  const ordered = sortedByStart(bins);
  for (const [rank, { index, range }] of ordered.entries()) {
    if (isEmptyRange(range)) reader.addFault(`${at}/${index}/to`, 'above from', 'not above from');
    const next = ordered[rank + 1];
    if (next !== undefined && overlaps(range, next.range)) {
      reader.addFault(`${at}/${next.index}`, 'numbers no other bin holds', `shared with bin ${index}`);
    }
  }
}

function overlaps(lower: NumberRange, higher: NumberRange): boolean {
  return lower.to === undefined || higher.from === undefined || higher.from.lt(lower.to);
}

/** Every integer score is in exactly one band, and every band holds a score. Fractional bounds are allowed. */
function checkBands(reader: JsonReader, bands: readonly Band[]): void {
  const ordered = sortedByStart(bands.map(integerRange));
  for (const { index, range } of ordered) {
    if (isEmptyRange(range)) {
      reader.addFault(`/content/bands/${index}/to`, 'above from, with a score between them', 'no score');
    }
  }
  const [lowest, highest] = [ordered[0], ordered.at(-1)];
  if (lowest === undefined || highest === undefined) {
    reader.addFault('/content/bands', 'at least one band', 'none');
    return;
  }
  if (lowest.range.from !== undefined) {
    reader.addFault(
      `/content/bands/${lowest.index}/from`,
      'absent on the lowest band',
      'scores below it are in no band',
    );
  }
  checkAdjacentBands(reader, ordered);
  if (highest.range.to !== undefined) {
    reader.addFault(
      `/content/bands/${highest.index}/to`,
      'absent on the highest band',
      'scores above it are in no band',
    );
  }
}

function checkAdjacentBands(reader: JsonReader, ordered: readonly IndexedRange[]): void {
  for (const [rank, { range, index }] of ordered.entries()) {
    const next = ordered[rank + 1];
    if (next === undefined) break;
    const [end, nextStart] = [range.to, next.range.from];
    if (end === undefined || nextStart === undefined || nextStart.lt(end)) {
      reader.addFault(`/content/bands/${next.index}`, 'scores no other band holds', `shared with band ${index}`);
    } else if (nextStart.gt(end)) {
      reader.addFault(`/content/bands/${next.index}/from`, end.toFixed(), nextStart.toFixed());
    }
  }
}

/** The integers that a range contains, as a range with integer ends. */
function integerRange({ from, to }: NumberRange): NumberRange {
  return {
    ...(from === undefined ? {} : { from: ceiling(from) }),
    ...(to === undefined ? {} : { to: ceiling(to) }),
  };
}

function isEmptyRange({ from, to }: NumberRange): boolean {
  return from !== undefined && to?.lte(from) === true;
}

/** A range and its index in the list that stated it. */
type IndexedRange = { readonly range: NumberRange; readonly index: number };

/** Sorted by start, unbounded first. Ranges with the same start are sorted by end. */
function sortedByStart(ranges: readonly NumberRange[]): readonly IndexedRange[] {
  return ranges
    .map((range, index) => ({ range, index }))
    .sort((a, b) => compareEnds(a.range.from, b.range.from, -1) || compareEnds(a.range.to, b.range.to, 1));
}

function compareEnds(a: Decimal | undefined, b: Decimal | undefined, unboundedRank: -1 | 1): number {
  if (a === undefined) return b === undefined ? 0 : unboundedRank;
  return b === undefined ? -unboundedRank : a.cmp(b);
}

/** Caps in two currencies could not both be compared with one application. */
function checkCurrency(reader: JsonReader, bands: readonly Band[]): void {
  const currency = bands.find(({ principalMax }) => principalMax !== undefined)?.principalMax?.currency;
  for (const [index, { principalMax }] of bands.entries()) {
    if (currency === undefined || principalMax === undefined || principalMax.currency === currency) continue;
    reader.addFault(`/content/bands/${index}/principal_max/currency`, currency, principalMax.currency);
  }
}
