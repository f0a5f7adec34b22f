/** What happens to purchases in four payments, to advances of a month, and to Clients with two Loans. */
import { addDays } from '#libs/calendar/civil-day.ts';
import type { ClientStory, IssuedLoan } from './client-story.ts';
import type { Life } from './instalment-lives.ts';
import { advance, merchants, payInFour, personal } from './products.ts';
import { pesos } from './step.ts';

function purchase(story: ClientStory, progress: { readonly passed: number; readonly nextInDays: number }): IssuedLoan {
  const { random } = story;
  return story.issue(payInFour, {
    principal: pesos(random.integer(6, 40) * 200),
    periods: 4,
    rate: '0',
    anchor: story.anchor(payInFour, progress),
    more: { merchant_ref: random.pick(merchants), context: { order: `P-${random.integer(10_000, 99_999)}` } },
  });
}

export const purchasePaidOnTime: Life = (story) => {
  const passed = story.random.integer(0, 3);
  story.payPeriods(purchase(story, { passed, nextInDays: story.random.integer(3, 10) }), passed);
};

export const purchaseClosed: Life = (story) => {
  const loan = purchase(story, { passed: 4, nextInDays: story.random.integer(-20, 8) });
  story.payPeriods(loan, 3);
  // Some send more than what is left, which is then owed back to them.
  const surplus = story.random.chance(0.25) ? 10_000 : 0;
  story.receive(story.payment(loan, 4, surplus), story.dueDay(loan, 4), {
    more: story.random.chance(0.5) ? { designated_loan_id: loan.id } : {},
  });
};

export const purchaseOverdue: Life = (story) => {
  const loan = purchase(story, { passed: 1, nextInDays: -story.random.integer(4, 26) });
  story.payPeriod(loan, 1);
};

/** A part of the purchase went back to the shop. */
export const goodsReturned: Life = (story) => {
  const loan = purchase(story, { passed: 1, nextInDays: 6 });
  story.payPeriod(loan, 1);
  story.act(loan, 'returnGoods', story.day(-3), 'Returned at the shop.', { amount: pesos(400) });
};

export const allGoodsReturned: Life = (story) => {
  const loan = purchase(story, { passed: 1, nextInDays: 6 });
  story.payPeriod(loan, 1);
  story.act(loan, 'returnGoods', story.day(-2), 'Returned whole at the shop.', { amount: pesos(8_000) });
};

/** A fifth is paid at the shop: period 0 of the plan. */
export const purchaseWithDownPayment: Life = (story) => {
  const merchant = { merchant_ref: story.random.pick(merchants) };
  story.issue(payInFour, {
    principal: pesos(5_000),
    periods: 4,
    rate: '0',
    anchor: story.day(-story.random.integer(2, 10)),
    more: { down_payment: pesos(1_000), ...merchant },
  });
};

function moneyAdvance(story: ClientStory, nextInDays: number): IssuedLoan {
  const terms = { principal: pesos(3_000), periods: 1, rate: '120' };
  return story.issue(advance, { ...terms, anchor: story.anchor(advance, { passed: 0, nextInDays }) });
}

export const advanceRunning: Life = (story) => void moneyAdvance(story, story.random.integer(3, 27));
export const advanceOverdue: Life = (story) => void moneyAdvance(story, -story.random.integer(3, 20));
export const advanceClosed: Life = (story) => {
  story.payPeriod(moneyAdvance(story, -story.random.integer(6, 40)), 1);
};

/** The interest of the month is paid, and the principal goes on for another one. */
export const advanceRolledOver: Life = (story) => {
  const loan = moneyAdvance(story, -story.random.integer(4, 16));
  const end = addDays(loan.anchor, 30);
  // 120 per cent a year on 3,000 for 30 days, with tax.
  story.receive(pesos(348), end, { more: { designated_loan_id: loan.id } });
  story.act(loan, 'rollOverLoan', end, 'The borrower asked for another month.');
};

/** Two Loans at once: each Receipt names the one it is for. */
export const twoLoans: Life = (story) => {
  const first = story.issue(personal, {
    principal: pesos(18_000),
    periods: 12,
    rate: '36',
    anchor: story.anchor(personal, { passed: 2, nextInDays: 12 }),
  });
  const second = purchase(story, { passed: 2, nextInDays: 7 });
  story.payPeriods(first, 2, { more: { designated_loan_id: first.id } });
  story.payPeriods(second, 2, { more: { designated_loan_id: second.id } });
};
