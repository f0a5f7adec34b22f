/** What happens to applicants: refusals and their bars, referrals and their resolutions, facilities and credit lines. */
import type { Life } from './instalment-lives.ts';
import { creditLine, personal } from './products.ts';
import { pesos } from './step.ts';

/** Refused by the score or by a rule, and barred for a while. */
export const refused: Life = (story) => {
  const { random } = story;
  story.apply(personal, random.pick(['poor', 'defaulted']), story.day(-random.integer(2, 20)));
  if (random.chance(0.4)) story.applyInVain(personal, 'fair', story.day(-1));
};

export const notOffered: Life = (story) => void story.apply(personal, 'minor', story.day(-story.random.integer(1, 30)));

export const waitsForDecision: Life = (story) => {
  story.apply(personal, story.random.pick(['unsure', 'indebted']), story.day(-story.random.integer(0, 3)));
};

export const referredAndApproved: Life = (story) => {
  const decision = story.apply(personal, 'indebted', story.day(-70));
  story.resolve(decision, { outcome: 'approve', rate: '42', principal_max: pesos(9_000) });
  const anchor = story.anchor(personal, { passed: 2, nextInDays: 14 });
  const loan = story.issue(personal, { principal: pesos(9_000), periods: 12, rate: '42', anchor });
  story.payPeriods(loan, 2);
};

export const referredAndRefused: Life = (story) => {
  const decision = story.apply(personal, 'unsure', story.day(-9));
  story.resolve(decision, { outcome: 'refuse', moratorium_days: 45 });
};

/** A facility for one purpose, drawn once. */
export const facilityDrawn: Life = (story) => {
  const facility = story.openFacility(story.apply(personal, 'good', story.day(-125)), pesos(12_000));
  const anchor = story.anchor(personal, { passed: 2, nextInDays: story.random.integer(6, 20) });
  story.payPeriods(story.draw(facility, personal, { principal: pesos(10_000), periods: 12, anchor }), 2);
};

/** A credit line that refills as it is repaid. */
export const lineInUse: Life = (story) => {
  const { random } = story;
  const decision = story.apply(creditLine, 'good', story.day(-130), { principal: pesos(30_000), limit: true });
  const line = story.openFacility(decision, pesos(30_000), { line: true });
  for (const passed of random.pick([[2], [2, 0], [3, 1]])) {
    const anchor = story.anchor(creditLine, { passed, nextInDays: random.integer(5, 22) });
    const loan = story.draw(line, creditLine, { principal: pesos(random.integer(4, 20) * 500), periods: 6, anchor });
    story.payPeriods(loan, passed, { more: { designated_loan_id: loan.id } });
  }
};

/** A line that a larger one has superseded. */
export const lineRenewed: Life = (story) => {
  const first = story.apply(creditLine, 'good', story.day(-130), { principal: pesos(15_000), limit: true });
  const line = story.openFacility(first, pesos(15_000), { line: true });
  const anchor = story.anchor(creditLine, { passed: 2, nextInDays: 9 });
  const loan = story.draw(line, creditLine, { principal: pesos(6_000), periods: 6, anchor });
  story.payPeriods(loan, 2);
  const second = story.apply(creditLine, 'good', story.day(-5), { principal: pesos(40_000), limit: true });
  story.openFacility(second, pesos(40_000), { line: true, supersedes: line });
};
