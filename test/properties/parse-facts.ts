/** Parses the facts of a worked book into domain types, with the checks in the order of the books' README. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import { checkSchedule, type Schedule } from '#libs/calendar/schedule.ts';
import { type Act, actFact } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { checkOffered, issueLoan, type LoanOffer, type StatedLoan } from '#libs/ledger/issuance.ts';
import { MAX_AMOUNT, type Minor, ZERO } from '#libs/money/minor.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Product } from '#libs/product/product.ts';
import type { Charge } from '#libs/product/terms.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { ActFact, BookInput, Configuration, IssuanceFact, ReceiptFact } from '#test/reference-model/input.ts';

export function parseFact(
  book: FoldedFacts,
  stated: BookInput['facts'][number],
  input: BookInput,
  market: Market,
): Fact | Refusal {
  switch (stated.type) {
    case 'issuance':
      return issuanceOf(stated, input, market);
    case 'receipt':
      return receiptOf(book, stated);
    case 'reversal':
      return { type: 'reversal', reference: stated.reference, receipt: stated.receipt };
    case 'act':
      return actOf(book, stated);
  }
}

const TAXABLE: readonly string[] = ['interest', 'fee', 'penalty', 'late_fee'];

function issuanceOf(stated: IssuanceFact, input: BookInput, market: Market): Fact | Refusal {
  const amounts = [stated.principal, ...(stated.down_payment === undefined ? [] : [stated.down_payment])];
  for (const amount of amounts) {
    const refused = formOfAmount(amount);
    if (refused !== undefined) return refused;
  }
  if (!Number.isInteger(stated.term_periods) || stated.term_periods < 1)
    return refuse('invalid_field', { field: '/term_periods', bound: 1 });
  if (stated.schedule !== undefined && 'refused' in checkSchedule(stated.schedule))
    return refuse('invalid_field', { field: '/schedule', bound: 'a schedule' });
  const { on } = stated.tax;
  if (new Set(on).size !== on.length || on.some((charge) => !TAXABLE.includes(charge)))
    return refuse('invalid_field', { field: '/tax/on', bound: TAXABLE });
  const configuration = input.configurations[stated.configuration];
  if (configuration === undefined) return refuse('no_configuration');
  const product = productIn(configuration, market);
  const loan: StatedLoan = {
    principal: BigInt(stated.principal),
    currency: stated.currency ?? 'MXN',
    termPeriods: stated.term_periods,
    rate: rateOf(stated.rate),
    ...(stated.penalty_rate === undefined ? {} : { penaltyRate: rateOf(stated.penalty_rate) }),
    anchor: dayOf(stated.anchor),
    jurisdiction: market.jurisdiction,
    tax: { rate: rateOf(stated.tax.rate), on: on as Charge[] },
    ...(stated.down_payment === undefined ? {} : { downPayment: BigInt(stated.down_payment) }),
    ...(stated.schedule === undefined ? {} : { schedule: stated.schedule as Schedule }),
    ...(stated.hold_until === undefined ? {} : { holdUntil: dayOf(stated.hold_until) }),
  };
  const refused = checkOffered(loan, product);
  if (refused !== undefined) return refused;
  const issued = issueLoan(loan, product, {
    ...market,
    capitalises: { ...market.capitalises, value: capitalises(configuration, market) },
  });
  if (isRefusal(issued)) return issued;
  return { type: 'issuance', event: stated.id, loanId: stated.id, reference: stated.reference, ...issued };
}

function capitalises({ values }: Configuration, market: Market): boolean {
  return values.capitalises ?? market.capitalises.value;
}

function formOfAmount(amount: number): Refusal | undefined {
  if (!Number.isInteger(amount) || amount <= 0) return refuse('invalid_field', { field: '/amount', bound: 1 });
  return BigInt(amount) > MAX_AMOUNT
    ? refuse('amount_out_of_range', { field: '/amount', bound: Number(MAX_AMOUNT) })
    : undefined;
}

const DEFAULT_SCHEDULE: { readonly [archetype in Configuration['archetype']]: Schedule } = {
  instalment: { kind: 'anchored_monthly' },
  bnpl: { kind: 'anchored_every_n_days', interval_days: 14 },
  payday: { kind: 'anchored_every_n_days', interval_days: 30 },
};

function productIn({ archetype, values }: Configuration, market: Market): Omit<Product, 'terms'> & LoanOffer {
  const bnpl = archetype === 'bnpl';
  const minor = (amount: number | undefined) => BigInt(amount ?? 0) as Minor;
  const { missedPeriods, noticeDays, forbidden } = market.acceleration.value;
  const terms = archetype === 'payday' ? [1] : values.terms;
  return {
    archetype,
    unit: 'loans',
    currency: values.currency ?? 'MXN',
    principalMin: minor(values.principal_min),
    principalMax: values.principal_max === undefined ? MAX_AMOUNT : minor(values.principal_max),
    rateMin: rateOf(values.rate_min ?? '0'),
    rateMax: rateOf(values.rate_max ?? '0'),
    penaltyRateMin: rateOf(values.penalty_rate_min ?? '0'),
    penaltyRateMax: rateOf(values.penalty_rate_max ?? '0'),
    basis: values.day_count_basis ?? 'actual_360',
    amortisation: values.amortisation ?? (bnpl ? 'equal_principal' : 'level_payment'),
    ...(terms === undefined ? {} : { terms }),
    schedules: [(values.schedule as Schedule | undefined) ?? DEFAULT_SCHEDULE[archetype]],
    originationFee: minor(values.origination_fee),
    lateFee: minor(values.late_fee),
    rolloverFee: minor(values.rollover_fee),
    downPaymentMinBps: values.down_payment_min_bps ?? 0,
    downPaymentMaxBps: values.down_payment_max_bps ?? 0,
    treatment: values.early_money_treatment ?? (bnpl ? 'settles_next' : 'reduces_principal'),
    chargeOrder: values.charge_order ?? ['penalty', 'late_fee', 'fee', 'interest', 'principal'],
    toleranceDays: values.tolerance_days ?? 0,
    tolerance: values.tolerance === undefined ? ZERO : minor(values.tolerance),
    maxRollovers: values.max_rollovers ?? 0,
    holdDays: values.hold_days ?? 30,
    guards: { refuseWhileOverdue: false },
    penaltyBase: values.penalty_base ?? 'overdue_principal',
    ...(values.penalty_ceiling_days === undefined ? {} : { penaltyCeilingDays: values.penalty_ceiling_days }),
    ...(values.penalty_ceiling_bps === undefined ? {} : { penaltyCeilingBps: values.penalty_ceiling_bps }),
    acceleration:
      values.acceleration === undefined
        ? { forbidden, missedPeriods, noticeDays }
        : {
            forbidden: values.acceleration.forbidden,
            missedPeriods: values.acceleration.missed_periods,
            noticeDays: values.acceleration.notice_days,
          },
    withdrawalDays: values.withdrawal_days ?? 0,
  };
}

function receiptOf(book: FoldedFacts, stated: ReceiptFact): Fact | Refusal {
  const refused = formOfAmount(stated.amount);
  if (refused !== undefined) return refused;
  const { designated_loan_id, payoff_intent: payoffIntent = false } = stated;
  if (payoffIntent && designated_loan_id === undefined) return refuse('payoff_needs_designation');
  const designated =
    designated_loan_id === undefined ? undefined : book.log.loan(book.loans.length, designated_loan_id);
  if (designated_loan_id !== undefined && designated === undefined) return refuse('unknown_loan');
  return {
    type: 'receipt',
    id: stated.reference,
    reference: stated.reference,
    currency: stated.currency ?? 'MXN',
    amount: BigInt(stated.amount),
    valueDate: dayOf(stated.value_date),
    ...(designated === undefined ? {} : { designated }),
    payoffIntent,
  };
}

function actOf(book: FoldedFacts, stated: ActFact): Fact | Refusal {
  const loan = book.log.loan(book.loans.length, stated.loan);
  if (loan === undefined) return refuse('not_found');
  for (const amount of [stated.amount, stated.agreed]) {
    const refused = amount === undefined ? undefined : formOfAmount(amount);
    if (refused !== undefined) return refused;
  }
  const { id: event, reference } = stated;
  const common = { event, reference, loan, on: dayOf(stated.on) };
  if (stated.kind === 'retraction') return { type: 'retraction', ...common, target: stated.event_id as string };
  const act: Act | undefined = acts.find(({ route }) => route.segment === stated.kind);
  if (act === undefined) throw new Error(`no act has the route segment ${stated.kind}`);
  return actFact(act, common, bodyOf(stated));
}

function bodyOf(stated: ActFact): object | undefined {
  const amount = BigInt(stated.amount ?? 0);
  switch (stated.kind) {
    case 'suspension':
      return { to: dayOf(stated.to as string) };
    case 'suspension-end':
      return { suspension: stated.suspension_id };
    case 'waiver':
      return { period: stated.period, charge: stated.charge, amount };
    case 'return':
      return { amount };
    case 'restructure':
      return {
        termPeriods: stated.term_periods,
        rate: rateOf(stated.rate as string),
        ...(stated.schedule === undefined ? {} : { schedule: stated.schedule }),
        ...(stated.penalty_rate === undefined ? {} : { penaltyRate: rateOf(stated.penalty_rate) }),
        calendar: 'MX@1',
      };
    case 'rollover':
      return { calendar: 'MX@1' };
    case 'acceleration':
      return { notifiedOn: dayOf(stated.notified_on as string) };
    case 'settlement':
      return { agreed: BigInt(stated.agreed as number), until: dayOf(stated.until ?? stated.on) };
    default:
      return undefined;
  }
}
