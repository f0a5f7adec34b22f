/** What happens to purchases in four payments, to advances of a month, and to Clients with two Loans. */
import { addDays } from '#libs/calendar/civil-day.ts';
import type { ClientRequests, IssuedLoan } from './client-requests.ts';
import type { ClientCase } from './instalment-cases.ts';
import { advance, merchants, payInFour, personal } from './products.ts';
import { pesos } from './step.ts';

function purchase(
  client: ClientRequests,
  progress: { readonly passed: number; readonly nextInDays: number },
): IssuedLoan {
  const { random } = client;
  return client.issue(payInFour, {
    principal: pesos(random.integer(6, 40) * 200),
    periods: 4,
    rate: '0',
    anchor: client.anchor(payInFour, progress),
    more: { merchant_ref: random.pick(merchants), context: { order: `P-${random.integer(10_000, 99_999)}` } },
  });
}

export const purchasePaidOnTime: ClientCase = (client) => {
  const passed = client.random.integer(0, 3);
  client.payPeriods(purchase(client, { passed, nextInDays: client.random.integer(3, 10) }), passed);
};

export const purchaseClosed: ClientCase = (client) => {
  const loan = purchase(client, { passed: 4, nextInDays: client.random.integer(-20, 8) });
  client.payPeriods(loan, 3);
  // Some send more than what is left, which is then owed back to them.
  const surplus = client.random.chance(0.25) ? 10_000 : 0;
  client.receive(client.payment(loan, 4, surplus), client.dueDay(loan, 4), {
    more: client.random.chance(0.5) ? { designated_loan_id: loan.id } : {},
  });
};

export const purchaseOverdue: ClientCase = (client) => {
  const loan = purchase(client, { passed: 1, nextInDays: -client.random.integer(4, 26) });
  client.payPeriod(loan, 1);
};

/** A part of the purchase went back to the shop. */
export const goodsReturned: ClientCase = (client) => {
  const loan = purchase(client, { passed: 1, nextInDays: 6 });
  client.payPeriod(loan, 1);
  client.act(loan, 'returnGoods', client.day(-3), 'Returned at the shop.', { amount: pesos(400) });
};

export const allGoodsReturned: ClientCase = (client) => {
  const loan = purchase(client, { passed: 1, nextInDays: 6 });
  client.payPeriod(loan, 1);
  client.act(loan, 'returnGoods', client.day(-2), 'Returned whole at the shop.', { amount: pesos(8_000) });
};

/** A fifth is paid at the shop: period 0 of the plan. */
export const purchaseWithDownPayment: ClientCase = (client) => {
  const merchant = { merchant_ref: client.random.pick(merchants) };
  client.issue(payInFour, {
    principal: pesos(5_000),
    periods: 4,
    rate: '0',
    anchor: client.day(-client.random.integer(2, 10)),
    more: { down_payment: pesos(1_000), ...merchant },
  });
};

function moneyAdvance(client: ClientRequests, nextInDays: number): IssuedLoan {
  const terms = { principal: pesos(3_000), periods: 1, rate: '120' };
  return client.issue(advance, { ...terms, anchor: client.anchor(advance, { passed: 0, nextInDays }) });
}

export const advanceRunning: ClientCase = (client) => void moneyAdvance(client, client.random.integer(3, 27));
export const advanceOverdue: ClientCase = (client) => void moneyAdvance(client, -client.random.integer(3, 20));
export const advanceClosed: ClientCase = (client) => {
  client.payPeriod(moneyAdvance(client, -client.random.integer(6, 40)), 1);
};

/** The interest of the month is paid, and the principal goes on for another one. */
export const advanceRolledOver: ClientCase = (client) => {
  const loan = moneyAdvance(client, -client.random.integer(4, 16));
  const end = addDays(loan.anchor, 30);
  // 120 per cent a year on 3,000 for 30 days, with tax.
  client.receive(pesos(348), end, { more: { designated_loan_id: loan.id } });
  client.act(loan, 'rollOverLoan', end, 'The borrower asked for another month.');
};

/** Two Loans at once: each Receipt names the one it is for. */
export const twoLoans: ClientCase = (client) => {
  const first = client.issue(personal, {
    principal: pesos(18_000),
    periods: 12,
    rate: '36',
    anchor: client.anchor(personal, { passed: 2, nextInDays: 12 }),
  });
  const second = purchase(client, { passed: 2, nextInDays: 7 });
  client.payPeriods(first, 2, { more: { designated_loan_id: first.id } });
  client.payPeriods(second, 2, { more: { designated_loan_id: second.id } });
};
