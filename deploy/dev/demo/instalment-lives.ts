/** What happens to instalment loans: paid as agreed, paid late, closed, and every act that a lender records on them. */
import { addDays, formatDay } from '#libs/calendar/civil-day.ts';
import type { ClientStory, IssuedLoan } from './client-story.ts';
import { payroll, personal } from './products.ts';
import { pesos } from './step.ts';

export type Life = (story: ClientStory) => void;

/** Where a Loan stands in its plan: the periods that have passed, and when the next one ends. */
interface Progress {
  readonly passed: number;
  readonly nextInDays: number;
  readonly more?: Parameters<ClientStory['issue']>[1]['more'];
}

function personalLoan(story: ClientStory, { passed, nextInDays, more = {} }: Progress): IssuedLoan {
  const { random } = story;
  return story.issue(personal, {
    principal: pesos(random.integer(8, 60) * 500),
    periods: random.pick([6, 12, 12, 18]),
    rate: random.pick(['32', '36', '42', '48']),
    anchor: story.anchor(personal, { passed, nextInDays }),
    more,
  });
}

function payrollLoan(story: ClientStory, progress: Progress): IssuedLoan {
  const { random } = story;
  return story.issue(payroll, {
    principal: pesos(random.integer(8, 40) * 500),
    periods: random.pick([12, 24]),
    rate: random.pick(['24', '28', '30']),
    anchor: story.anchor(payroll, progress),
  });
}

/** Pays each instalment on its due day; the next one is due in a few days. */
export const paysOnTime: Life = (story) => {
  const { random } = story;
  const passed = random.weighted([
    [4, random.integer(0, 3)],
    [1, random.integer(4, 5)],
  ]);
  if (random.chance(0.4)) story.apply(personal, random.pick(['good', 'fair']), story.day(-40 * (passed + 1)));
  story.payPeriods(personalLoan(story, { passed, nextInDays: random.integer(3, 24) }), passed);
};

export const paysFromPayroll: Life = (story) => {
  const passed = story.random.integer(1, 6);
  story.payPeriods(payrollLoan(story, { passed, nextInDays: story.random.integer(3, 10) }), passed);
};

/** Pays a part of the principal ahead of its day. */
export const paysEarly: Life = (story) => {
  const passed = story.random.integer(1, 3);
  const loan = personalLoan(story, { passed, nextInDays: story.random.integer(8, 20) });
  story.payPeriods(loan, passed);
  story.receive(story.payment(loan, passed + 1, 150_000), story.day(-2));
};

/** One instalment came late and with its late fee. */
export const paidLateOnce: Life = (story) => {
  const loan = payrollLoan(story, { passed: 4, nextInDays: story.random.integer(4, 10) });
  story.payPeriods(loan, 2);
  const dueAgo = addDays(loan.anchor, 3 * 14 + story.random.integer(5, 9));
  story.receive(story.payment(loan, 3, 17_400), dueAgo);
  story.payPeriod(loan, 4);
};

/** A Loan that stopped being paid so many days ago. */
function stoppedPaying(story: ClientStory, days: number, paid = story.random.integer(0, 2)): IssuedLoan {
  const loan = personalLoan(story, { passed: paid, nextInDays: -days });
  story.payPeriods(loan, paid);
  return loan;
}

export const overdue = (minDays: number, maxDays: number): Life => {
  return (story) => {
    stoppedPaying(story, story.random.integer(minDays, maxDays));
    // Some borrowers send a part of what they owe.
    if (story.random.chance(0.4)) story.receive(pesos(story.random.integer(2, 8) * 100), story.day(-3));
  };
};

export const paidOff: Life = (story) => {
  const passed = story.random.integer(1, 3);
  const loan = personalLoan(story, { passed, nextInDays: story.random.integer(2, 20) });
  story.payPeriods(loan, passed);
  story.payOff(loan, story.day(-story.random.integer(1, 8)));
};

export const settledForLess: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(70, 95), 1);
  const agreed = pesos(1_800);
  const until = formatDay(story.day(10));
  story.act(loan, 'settleLoan', story.day(-20), 'Agreement with the borrower by telephone.', { agreed, until });
  story.receive(agreed, story.day(-6));
};

export const settlementOffered: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(70, 95), 1);
  const terms = { agreed: pesos(2_200), until: formatDay(story.day(12)) };
  story.act(loan, 'settleLoan', story.day(-4), 'Offer accepted by the borrower; payment is expected.', terms);
};

export const suspended: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(8, 20));
  const to = formatDay(story.day(25));
  story.act(loan, 'suspendLoan', story.day(-6), 'Declared emergency in the municipality.', { to });
};

export const suspensionEndedEarly: Life = (story) => {
  const loan = personalLoan(story, { passed: 2, nextInDays: 9 });
  story.payPeriods(loan, 2);
  const to = formatDay(story.day(-5));
  const act = story.act(loan, 'suspendLoan', story.day(-35), 'Hospital stay of the borrower.', { to });
  const ended = { suspension_id: { eventOf: act } };
  story.act(loan, 'endSuspension', story.day(-20), 'The borrower is back at work.', ended);
};

export const penaltyWaived: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(38, 50), 1);
  const stated = { period: 2, charge: 'penalty', amount: pesos(10) };
  const act = story.act(loan, 'waiveCharge', story.day(-2), 'Goodwill after a fault of the payment provider.', stated);
  if (story.random.chance(0.3)) story.retract(loan, act, story.day(-1), 'Recorded on the wrong loan.');
};

export const writtenOff: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(100, 125), 1);
  story.act(loan, 'writeOffLoan', story.day(-12), 'No contact for three months.');
  if (story.random.chance(0.5)) story.receive(pesos(story.random.integer(3, 9) * 100), story.day(-3));
};

export const writeOffTakenBack: Life = (story) => {
  const loan = stoppedPaying(story, 100, 1);
  const act = story.act(loan, 'writeOffLoan', story.day(-15), 'No contact for three months.');
  story.retract(loan, act, story.day(-8), 'The borrower called and pays again.');
  story.receive(pesos(1_000), story.day(-5));
};

export const ceded: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(85, 110), 1);
  const context = { context: { buyer: 'Cobranza del Bajío' } };
  story.act(loan, 'cedeLoan', story.day(-15), 'Sale of the portfolio of the third quarter.', context);
};

export const restructured: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(60, 75), 1);
  const terms = { term_periods: 12, rate: '24' };
  story.act(loan, 'restructureLoan', story.day(-22), 'New plan agreed with the borrower.', terms);
};

export const accelerated: Life = (story) => {
  const loan = stoppedPaying(story, story.random.integer(62, 80), 1);
  const notified_on = formatDay(story.day(-25));
  story.act(loan, 'accelerateLoan', story.day(-10), 'Notice by registered letter.', { notified_on });
};

function heldLoan(story: ClientStory, anchorDays: number, holdDays: number): IssuedLoan {
  const more = { hold_until: formatDay(story.day(holdDays)) };
  const periods = { principal: pesos(15_000), periods: 12, rate: '36' };
  return story.issue(personal, { ...periods, anchor: story.day(anchorDays), more });
}

export const held: Life = (story) => void heldLoan(story, -3, 12);
export const holdExpired: Life = (story) => void heldLoan(story, -24, -9);
export const voided: Life = (story) => {
  story.act(heldLoan(story, -12, 5), 'voidLoan', story.day(-8), 'The borrower did not sign.');
};
export const confirmed: Life = (story) => {
  story.act(heldLoan(story, -12, 5), 'confirmLoan', story.day(-10), 'Contract signed and filed.');
};

export const cancelled: Life = (story) => {
  const loan = personalLoan(story, { passed: 0, nextInDays: 22 });
  story.act(loan, 'cancelLoan', addDays(loan.anchor, 1), 'The transfer to the borrower was rejected by the bank.');
};

export const rescinded: Life = (story) => {
  const loan = personalLoan(story, { passed: 1, nextInDays: 12 });
  story.payPeriod(loan, 1);
  story.act(loan, 'rescindLoan', story.day(-4), 'Identity theft confirmed by the prosecutor.');
};

export const withdrawn: Life = (story) => {
  const loan = personalLoan(story, { passed: 0, nextInDays: 15 });
  story.act(loan, 'withdrawLoan', addDays(loan.anchor, 7), 'The borrower withdrew within the period.');
};

/** The bank took a payment back; some borrowers have paid it again since. */
export const paymentReturned: Life = (story) => {
  const loan = personalLoan(story, { passed: 2, nextInDays: 11 });
  story.payPeriod(loan, 1);
  story.reverse(story.payPeriod(loan, 2), 'returned_by_bank', 'Notice of the bank.');
  if (story.random.chance(0.5)) story.receive(story.payment(loan, 2, 5_000), story.day(-4));
};
