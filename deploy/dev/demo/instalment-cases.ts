/** What happens to instalment loans: paid as agreed, paid late, closed, and every act that a lender records on them. */
import { addDays, formatDay } from '#libs/calendar/civil-day.ts';
import type { ClientRequests, IssuedLoan } from './client-requests.ts';
import { payroll, personal } from './products.ts';
import { pesos } from './step.ts';

export type ClientCase = (client: ClientRequests) => void;

/** Where a Loan stands in its plan: the periods that have passed, and when the next one ends. */
interface Progress {
  readonly passed: number;
  readonly nextInDays: number;
  readonly more?: Parameters<ClientRequests['issue']>[1]['more'];
}

function personalLoan(client: ClientRequests, { passed, nextInDays, more = {} }: Progress): IssuedLoan {
  const { random } = client;
  return client.issue(personal, {
    principal: pesos(random.integer(8, 60) * 500),
    periods: random.pick([6, 12, 12, 18]),
    rate: random.pick(['32', '36', '42', '48']),
    anchor: client.anchor(personal, { passed, nextInDays }),
    more,
  });
}

function payrollLoan(client: ClientRequests, progress: Progress): IssuedLoan {
  const { random } = client;
  return client.issue(payroll, {
    principal: pesos(random.integer(8, 40) * 500),
    periods: random.pick([12, 24]),
    rate: random.pick(['24', '28', '30']),
    anchor: client.anchor(payroll, progress),
  });
}

/** Pays each instalment on its due day; the next one is due in a few days. */
export const paysOnTime: ClientCase = (client) => {
  const { random } = client;
  const passed = random.weighted([
    [4, random.integer(0, 3)],
    [1, random.integer(4, 5)],
  ]);
  if (random.chance(0.4)) client.apply(personal, random.pick(['good', 'fair']), client.day(-40 * (passed + 1)));
  client.payPeriods(personalLoan(client, { passed, nextInDays: random.integer(3, 24) }), passed);
};

export const paysFromPayroll: ClientCase = (client) => {
  const passed = client.random.integer(1, 6);
  client.payPeriods(payrollLoan(client, { passed, nextInDays: client.random.integer(3, 10) }), passed);
};

/** Pays a part of the principal ahead of its day. */
export const paysEarly: ClientCase = (client) => {
  const passed = client.random.integer(1, 3);
  const loan = personalLoan(client, { passed, nextInDays: client.random.integer(8, 20) });
  client.payPeriods(loan, passed);
  client.receive(client.payment(loan, passed + 1, 150_000), client.day(-2));
};

/** One instalment came late and with its late fee. */
export const paidLateOnce: ClientCase = (client) => {
  const loan = payrollLoan(client, { passed: 4, nextInDays: client.random.integer(4, 10) });
  client.payPeriods(loan, 2);
  const dueAgo = addDays(loan.anchor, 3 * 14 + client.random.integer(5, 9));
  client.receive(client.payment(loan, 3, 17_400), dueAgo);
  client.payPeriod(loan, 4);
};

/** A Loan that stopped being paid so many days ago. */
function stoppedPaying(client: ClientRequests, days: number, paid = client.random.integer(0, 2)): IssuedLoan {
  const loan = personalLoan(client, { passed: paid, nextInDays: -days });
  client.payPeriods(loan, paid);
  return loan;
}

export const overdue = (minDays: number, maxDays: number): ClientCase => {
  return (client) => {
    stoppedPaying(client, client.random.integer(minDays, maxDays));
    // Some borrowers send a part of what they owe.
    if (client.random.chance(0.4)) client.receive(pesos(client.random.integer(2, 8) * 100), client.day(-3));
  };
};

export const paidOff: ClientCase = (client) => {
  const passed = client.random.integer(1, 3);
  const loan = personalLoan(client, { passed, nextInDays: client.random.integer(2, 20) });
  client.payPeriods(loan, passed);
  client.payOff(loan, client.day(-client.random.integer(1, 8)));
};

export const settledForLess: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(70, 95), 1);
  const agreed = pesos(1_800);
  const until = formatDay(client.day(10));
  client.act(loan, 'settleLoan', client.day(-20), 'Agreement with the borrower by telephone.', { agreed, until });
  client.receive(agreed, client.day(-6));
};

export const settlementOffered: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(70, 95), 1);
  const terms = { agreed: pesos(2_200), until: formatDay(client.day(12)) };
  client.act(loan, 'settleLoan', client.day(-4), 'Offer accepted by the borrower; payment is expected.', terms);
};

export const suspended: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(8, 20));
  const to = formatDay(client.day(25));
  client.act(loan, 'suspendLoan', client.day(-6), 'Declared emergency in the municipality.', { to });
};

export const suspensionEndedEarly: ClientCase = (client) => {
  const loan = personalLoan(client, { passed: 2, nextInDays: 9 });
  client.payPeriods(loan, 2);
  const to = formatDay(client.day(-5));
  const act = client.act(loan, 'suspendLoan', client.day(-35), 'Hospital stay of the borrower.', { to });
  const ended = { suspension_id: { eventOf: act } };
  client.act(loan, 'endSuspension', client.day(-20), 'The borrower is back at work.', ended);
};

export const penaltyWaived: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(38, 50), 1);
  const stated = { period: 2, charge: 'penalty', amount: pesos(10) };
  const act = client.act(
    loan,
    'waiveCharge',
    client.day(-2),
    'Goodwill after a fault of the payment provider.',
    stated,
  );
  if (client.random.chance(0.3)) client.retract(loan, act, client.day(-1), 'Recorded on the wrong loan.');
};

export const writtenOff: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(100, 125), 1);
  client.act(loan, 'writeOffLoan', client.day(-12), 'No contact for three months.');
  if (client.random.chance(0.5)) client.receive(pesos(client.random.integer(3, 9) * 100), client.day(-3));
};

export const writeOffTakenBack: ClientCase = (client) => {
  const loan = stoppedPaying(client, 100, 1);
  const act = client.act(loan, 'writeOffLoan', client.day(-15), 'No contact for three months.');
  client.retract(loan, act, client.day(-8), 'The borrower called and pays again.');
  client.receive(pesos(1_000), client.day(-5));
};

export const ceded: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(85, 110), 1);
  const context = { context: { buyer: 'Cobranza del Bajío' } };
  client.act(loan, 'cedeLoan', client.day(-15), 'Sale of the portfolio of the third quarter.', context);
};

export const restructured: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(60, 75), 1);
  const terms = { term_periods: 12, rate: '24' };
  client.act(loan, 'restructureLoan', client.day(-22), 'New plan agreed with the borrower.', terms);
};

export const accelerated: ClientCase = (client) => {
  const loan = stoppedPaying(client, client.random.integer(62, 80), 1);
  const notified_on = formatDay(client.day(-25));
  client.act(loan, 'accelerateLoan', client.day(-10), 'Notice by registered letter.', { notified_on });
};

function heldLoan(client: ClientRequests, anchorDays: number, holdDays: number): IssuedLoan {
  const more = { hold_until: formatDay(client.day(holdDays)) };
  const periods = { principal: pesos(15_000), periods: 12, rate: '36' };
  return client.issue(personal, { ...periods, anchor: client.day(anchorDays), more });
}

export const held: ClientCase = (client) => void heldLoan(client, -3, 12);
export const holdExpired: ClientCase = (client) => void heldLoan(client, -24, -9);
export const voided: ClientCase = (client) => {
  client.act(heldLoan(client, -12, 5), 'voidLoan', client.day(-8), 'The borrower did not sign.');
};
export const confirmed: ClientCase = (client) => {
  client.act(heldLoan(client, -12, 5), 'confirmLoan', client.day(-10), 'Contract signed and filed.');
};

export const cancelled: ClientCase = (client) => {
  const loan = personalLoan(client, { passed: 0, nextInDays: 22 });
  client.act(loan, 'cancelLoan', addDays(loan.anchor, 1), 'The transfer to the borrower was rejected by the bank.');
};

export const rescinded: ClientCase = (client) => {
  const loan = personalLoan(client, { passed: 1, nextInDays: 12 });
  client.payPeriod(loan, 1);
  client.act(loan, 'rescindLoan', client.day(-4), 'Identity theft confirmed by the prosecutor.');
};

export const withdrawn: ClientCase = (client) => {
  const loan = personalLoan(client, { passed: 0, nextInDays: 15 });
  client.act(loan, 'withdrawLoan', addDays(loan.anchor, 7), 'The borrower withdrew within the period.');
};

/** The bank took a payment back; some borrowers have paid it again since. */
export const paymentReturned: ClientCase = (client) => {
  const loan = personalLoan(client, { passed: 2, nextInDays: 11 });
  client.payPeriod(loan, 1);
  client.reverse(client.payPeriod(loan, 2), 'returned_by_bank', 'Notice of the bank.');
  if (client.random.chance(0.5)) client.receive(client.payment(loan, 2, 5_000), client.day(-4));
};
