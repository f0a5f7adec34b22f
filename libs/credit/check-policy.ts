import { ceiling, type Decimal } from '#libs/credit/decimal.ts';
import type { Band, Bin, Policy, Range } from '#libs/credit/policy.ts';
import { Reading } from '#libs/credit/policy-input.ts';
import { decimalRateForm, rateOfRatio } from '#libs/credit/ratio.ts';
import { readContent } from '#libs/credit/read-policy.ts';
import { findingsOf, type RuleResult } from '#libs/credit/rule-results.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export type CheckedPolicy = { readonly policy: Policy; readonly findings: readonly RuleResult[] };

/** What drafting and validation hold a content to: whatever passes decides every application, and in one way only. */
export function checkPolicy(content: unknown): CheckedPolicy | Refusal {
  const reading = new Reading();
  const policy = readContent(reading, content);
  if (reading.first === undefined) checkTogether(reading, policy);
  if (reading.first !== undefined) return refuse('invalid_policy', reading.first);
  return { policy, findings: findingsOf(policy) };
}

/** A content that was checked when it was drafted: anything broken in it now is our own mistake. */
export function policyOf(content: unknown): Policy {
  const reading = new Reading();
  const policy = readContent(reading, content);
  if (reading.first !== undefined) throw new Error(`a drafted policy is broken at ${reading.first.field}`);
  return policy;
}

/** Validation and publication also ask that every rate a Loan could be issued at can be written as one. */
export function rateWithoutDecimal(policy: Policy): Refusal | undefined {
  for (const [index, { outcome, rate }] of policy.bands.entries()) {
    // Only an approving band's rate ever reaches a Loan.
    if (outcome !== 'approve' || rate === undefined || rateOfRatio(rate) !== undefined) continue;
    const observed = `${rate.numerator}/${rate.denominator}`;
    return refuse('rate_without_decimal', { field: `/content/bands/${index}/rate`, bound: decimalRateForm, observed });
  }
  return undefined;
}

function checkTogether(reading: Reading, policy: Policy): void {
  checkUnique(reading, '/content/knockouts', policy.knockouts);
  checkUnique(reading, '/content/scorecard', policy.scorecard);
  checkUnique(reading, '/content/bands', policy.bands);
  checkNamed(reading, '/content/knockouts', policy);
  checkNamed(reading, '/content/scorecard', policy);
  for (const [index, { bins }] of policy.scorecard.entries()) {
    checkApart(reading, `/content/scorecard/${index}/bins`, bins);
  }
  checkBands(reading, policy.bands);
  checkCurrency(reading, policy.bands);
}

function checkUnique(reading: Reading, at: string, named: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of named.entries()) {
    if (seen.has(id)) reading.note(`${at}/${index}/id`, 'an id used once', id);
    seen.add(id);
  }
}

function checkNamed(reading: Reading, at: '/content/knockouts' | '/content/scorecard', policy: Policy): void {
  const rules = at === '/content/knockouts' ? policy.knockouts : policy.scorecard;
  for (const [index, { attribute }] of rules.entries()) {
    if (!policy.attributes.has(attribute)) reading.note(`${at}/${index}/attribute`, 'a name in attributes', attribute);
  }
}

/** Two bins that share a number would give it two numbers of points. The order they are written in decides nothing. */
function checkApart(reading: Reading, at: string, bins: readonly Bin[]): void {
  const ordered = byFrom(bins);
  for (const [rank, { index, range }] of ordered.entries()) {
    if (isBackwards(range)) reading.note(`${at}/${index}/to`, 'above from', 'not above from');
    const next = ordered[rank + 1];
    if (next !== undefined && overlap(range, next.range)) {
      reading.note(`${at}/${next.index}`, 'numbers no other bin holds', `shared with bin ${index}`);
    }
  }
}

function overlap(lower: Range, higher: Range): boolean {
  return lower.to === undefined || higher.from === undefined || higher.from.lt(lower.to);
}

/**
 * Every integer score is in one band exactly, and every band has a score. A fraction in a bound is a bound all the same:
 * what counts are the integers it parts.
 */
function checkBands(reading: Reading, bands: readonly Band[]): void {
  const ordered = byFrom(bands.map(scoresOf));
  for (const { index, range } of ordered) {
    if (isBackwards(range))
      reading.note(`/content/bands/${index}/to`, 'above from, with a score between them', 'no score');
  }
  const [lowest, highest] = [ordered[0], ordered.at(-1)];
  if (lowest === undefined || highest === undefined) {
    reading.note('/content/bands', 'at least one band', 'none');
    return;
  }
  if (lowest.range.from !== undefined) {
    reading.note(`/content/bands/${lowest.index}/from`, 'absent on the lowest band', 'scores below it are in no band');
  }
  for (const [rank, { range, index }] of ordered.entries()) {
    const next = ordered[rank + 1];
    if (next === undefined) break;
    const [end, begin] = [range.to, next.range.from];
    if (end === undefined || begin === undefined || begin.lt(end)) {
      reading.note(`/content/bands/${next.index}`, 'scores no other band holds', `shared with band ${index}`);
    } else if (begin.gt(end)) {
      reading.note(`/content/bands/${next.index}/from`, end.toFixed(), begin.toFixed());
    }
  }
  if (highest.range.to !== undefined) {
    reading.note(`/content/bands/${highest.index}/to`, 'absent on the highest band', 'scores above it are in no band');
  }
}

/** What a range holds of the integers. */
function scoresOf({ from, to }: Range): Range {
  return {
    ...(from === undefined ? {} : { from: ceiling(from) }),
    ...(to === undefined ? {} : { to: ceiling(to) }),
  };
}

function isBackwards({ from, to }: Range): boolean {
  return from !== undefined && to?.lte(from) === true;
}

type Placed<Kind extends Range> = { readonly range: Kind; readonly index: number };

/** In the order of their beginnings, an open one first; of two that begin together the one that ends first. */
function byFrom<Kind extends Range>(ranges: readonly Kind[]): readonly Placed<Kind>[] {
  return ranges
    .map((range, index) => ({ range, index }))
    .sort((a, b) => compareEnds(a.range.from, b.range.from, -1) || compareEnds(a.range.to, b.range.to, 1));
}

function compareEnds(a: Decimal | undefined, b: Decimal | undefined, openIs: -1 | 1): number {
  if (a === undefined) return b === undefined ? 0 : openIs;
  return b === undefined ? -openIs : a.cmp(b);
}

/** Caps in two currencies could not both be compared with one application. */
function checkCurrency(reading: Reading, bands: readonly Band[]): void {
  let currency: string | undefined;
  for (const [index, { principalMax }] of bands.entries()) {
    if (principalMax === undefined) continue;
    currency ??= principalMax.currency;
    if (principalMax.currency === currency) continue;
    reading.note(`/content/bands/${index}/principal_max/currency`, currency, principalMax.currency);
  }
}
