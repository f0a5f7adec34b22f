/** What happens to applicants: refusals and their bars, referrals and their resolutions, facilities and credit lines. */
import type { ClientCase } from './instalment-cases.ts';
import { creditLine, personal } from './products.ts';
import { pesos } from './step.ts';

/** Refused by the score or by a rule, and barred for a while. */
export const refused: ClientCase = (client) => {
  const { random } = client;
  client.apply(personal, random.pick(['poor', 'defaulted']), client.day(-random.integer(2, 20)));
  if (random.chance(0.4)) client.applyInVain(personal, 'fair', client.day(-1));
};

export const notOffered: ClientCase = (client) =>
  void client.apply(personal, 'minor', client.day(-client.random.integer(1, 30)));

export const waitsForDecision: ClientCase = (client) => {
  client.apply(personal, client.random.pick(['unsure', 'indebted']), client.day(-client.random.integer(0, 3)));
};

export const referredAndApproved: ClientCase = (client) => {
  const decision = client.apply(personal, 'indebted', client.day(-70));
  client.resolve(decision, { outcome: 'approve', rate: '42', principal_max: pesos(9_000) });
  const anchor = client.anchor(personal, { passed: 2, nextInDays: 14 });
  const loan = client.issue(personal, { principal: pesos(9_000), periods: 12, rate: '42', anchor });
  client.payPeriods(loan, 2);
};

export const referredAndRefused: ClientCase = (client) => {
  const decision = client.apply(personal, 'unsure', client.day(-9));
  client.resolve(decision, { outcome: 'refuse', moratorium_days: 45 });
};

/** A facility for one purpose, drawn once. */
export const facilityDrawn: ClientCase = (client) => {
  const facility = client.openFacility(client.apply(personal, 'good', client.day(-125)), pesos(12_000));
  const anchor = client.anchor(personal, { passed: 2, nextInDays: client.random.integer(6, 20) });
  client.payPeriods(client.draw(facility, personal, { principal: pesos(10_000), periods: 12, anchor }), 2);
};

/** A credit line that refills as it is repaid. */
export const lineInUse: ClientCase = (client) => {
  const { random } = client;
  const decision = client.apply(creditLine, 'good', client.day(-130), { principal: pesos(30_000), limit: true });
  const line = client.openFacility(decision, pesos(30_000), { line: true });
  for (const passed of random.pick([[2], [2, 0], [3, 1]])) {
    const anchor = client.anchor(creditLine, { passed, nextInDays: random.integer(5, 22) });
    const loan = client.draw(line, creditLine, { principal: pesos(random.integer(4, 20) * 500), periods: 6, anchor });
    client.payPeriods(loan, passed, { more: { designated_loan_id: loan.id } });
  }
};

/** A line that a larger one has superseded. */
export const lineRenewed: ClientCase = (client) => {
  const first = client.apply(creditLine, 'good', client.day(-130), { principal: pesos(15_000), limit: true });
  const line = client.openFacility(first, pesos(15_000), { line: true });
  const anchor = client.anchor(creditLine, { passed: 2, nextInDays: 9 });
  const loan = client.draw(line, creditLine, { principal: pesos(6_000), periods: 6, anchor });
  client.payPeriods(loan, 2);
  const second = client.apply(creditLine, 'good', client.day(-5), { principal: pesos(40_000), limit: true });
  client.openFacility(second, pesos(40_000), { line: true, supersedes: line });
};
