import { loanEvidence } from '#libs/api/answers/evidence.ts';
import { delinquency, loanStatement, schedule } from '#libs/api/answers/loan-days.ts';
import { loan, loanPage, preview, quote, quotePage } from '#libs/api/answers/loans.ts';
import { feed, streamedEvent } from '#libs/api/answers/tenancy.ts';
import { asks, type Operation, records } from '#libs/api/openapi/operation.ts';
import type { ActKind } from '#libs/ledger/facts.ts';
import { refusedByState } from '#libs/ledger/states-table.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

const tag = 'Loans';

/** In the order in which issuance checks. */
const issuance: readonly RefusalCode[] = [
  'unknown_client',
  'no_configuration',
  'not_found',
  'facility_other_client',
  'facility_superseded',
  'facility_other_configuration',
  'currency_mismatch',
  'principal_outside_range',
  'term_not_offered',
  'schedule_not_offered',
  'rate_outside_corridor',
  'penalty_rate_outside_corridor',
  'down_payment_outside_range',
  'tax_not_provided',
  'outside_market',
  'penalty_rate_above_cap',
  'late_fee_beside_penalty',
  'beyond_horizon',
  'hold_outside_range',
  'plan_not_amortising',
  'figure_out_of_range',
  'client_open_loans',
  'client_exposure',
  'client_overdue',
  'outside_facility_window',
  'facility_exhausted',
];

/** What any act may meet: the state of the Loan, its beginning, and what stands on the day it is dated. */
const anyAct: readonly RefusalCode[] = [
  'invalid_event',
  'loan_held',
  'loan_closed',
  'loan_undone',
  'already_written_off',
  'cession_in_force',
];

function act(kind: ActKind, summary: string, says: string, refuses: readonly RefusalCode[] = []): Operation {
  return records({
    tag,
    summary,
    says: `${says} Records a \`${kind}\` fact about the Loan, and answers the whole Loan.`,
    answer: loan,
    refuses: [...anyAct, ...refusedByState(kind), ...refuses],
  });
}

const oneLoan = "Reads the book of the Loan's Client: every fact recorded about the Client.";

export const loanOperations = {
  listLoans: asks({
    tag,
    summary: 'List Loans',
    says: 'Reads the books of the Clients whose Loans are on the page, all as they were in one moment. Under `state`, and among the Loans of one Client, the walk reads past those that do not match, at most ten times `limit`: a page may be short or empty and still have a `cursor`. A Loan issued with a hold and not confirmed is listed only where `state` names `held`, `expired` or `voided`. Its place is that of its issuance: confirmed while a listing is walked, it appears inside the walk or is passed over, by how far the walk has come. A Client whose book cannot be derived from what is recorded keeps nobody back: its Loans are told by what is recorded of them alone, with `book_not_derivable` in their `anomalies`.',
    answer: loanPage,
  }),
  issueLoan: records({
    tag,
    summary: 'Issue a Loan',
    says: "Reads the configuration version, the market's law and the book of the Client. Records an `issued` fact: terms, plan, disclosure and regime are frozen with it.",
    answer: loan,
    refuses: issuance,
  }),
  previewLoan: asks({
    tag,
    summary: 'Preview a Loan',
    says: 'Runs every check of issuance in the same order, over the same facts, and records nothing. `reference` is read by nothing.',
    answer: preview,
    refuses: issuance,
  }),
  readLoan: asks({
    tag,
    summary: 'Read a Loan',
    says: `${oneLoan} The state is folded from all that is recorded; the read takes no date.`,
    answer: loan,
    refuses: ['contract_version_required'],
  }),
  confirmLoan: act('confirmed', 'Confirm a held Loan', 'The hold ends and the Loan stands from the day on.', [
    'hold_expired',
  ]),
  voidLoan: act('voided', 'Void a held Loan', 'The Loan never stood.'),
  cancelLoan: act('cancelled', 'Cancel a Loan', 'Only while no Receipt has settled anything on it.', [
    'loan_has_receipts',
  ]),
  rescindLoan: act('rescinded', 'Rescind a Loan', 'The Loan is undone, and what it received goes back to the Client.'),
  withdrawLoan: act(
    'withdrawn',
    'Withdraw from a Loan',
    'The borrower withdraws within the days the product or the law gives.',
    ['withdrawal_not_provided', 'withdrawal_window_closed'],
  ),
  suspendLoan: act('suspended', 'Suspend a Loan', 'Lateness and penalty stand still from `on` to `to`.', [
    'already_suspended',
  ]),
  endSuspension: act('suspension_ended', 'End a suspension early', 'The clock runs again from the day after `on`.', [
    'not_found',
  ]),
  waiveCharge: act('waived', 'Waive a charge', 'Releases part of a charge of one period.', [
    'charge_not_waivable',
    'waiver_exceeds_charge',
    'currency_mismatch',
  ]),
  returnGoods: act('returned', 'Return goods', 'Splits the value of what went back by what the Loan still owed.', [
    'return_not_provided',
    'return_exceeds_principal',
    'currency_mismatch',
  ]),
  rollOverLoan: act('rolled_over', 'Roll a payday Loan over', 'Opens another period for its principal.', [
    'rollover_not_provided',
    'rollovers_exhausted',
    'rollover_unpaid',
    'beyond_horizon',
    'amount_out_of_range',
  ]),
  restructureLoan: act('restructured', 'Restructure a Loan', 'Plans what is owed anew.', [
    'term_not_offered',
    'rate_outside_corridor',
    'schedule_not_offered',
    'penalty_rate_outside_corridor',
    'penalty_rate_above_cap',
    'late_fee_beside_penalty',
    'beyond_horizon',
    'plan_not_amortising',
    'amount_out_of_range',
  ]),
  accelerateLoan: act('accelerated', 'Call the whole balance', 'Everything owed falls due on `on`.', [
    'acceleration_forbidden',
    'acceleration_unearned',
    'notice_too_short',
  ]),
  settleLoan: act(
    'settled_for_less',
    'Agree a settlement for less',
    'The agreed sum discharges the Loan where it comes in time.',
    ['settlement_not_less', 'currency_mismatch'],
  ),
  writeOffLoan: act('written_off', 'Write a Loan off', 'Charging stops; the debt stays on record at its cost.'),
  cedeLoan: act('ceded', 'Cede a Loan', 'The debt is the assignee’s from the cut-off on.'),
  retractFact: records({
    tag,
    summary: 'Withdraw a fact',
    says: 'The fact named by `event_id` contributes to nothing from now on, on any day, and stays readable. Answers the whole Loan.',
    answer: loan,
    refuses: [...anyAct, 'not_retractable', 'already_retracted', 'fact_depended_on', 'loan_voided', 'loan_cancelled'],
  }),
  quotePayoff: records({
    tag,
    summary: 'Quote a payoff',
    says: 'Records what discharges the Loan on the day, as the book now is. It binds nothing and moves no book version.',
    answer: quote,
  }),
  listPayoffQuotes: asks({ tag, summary: 'List the payoff quotes of a Loan', says: oneLoan, answer: quotePage }),
  readPayoffQuote: asks({ tag, summary: 'Read a payoff quote', says: oneLoan, answer: quote }),
  readSchedule: asks({
    tag,
    summary: "Read a Loan's schedule on a day",
    says: `${oneLoan} Folded up to the day.`,
    answer: schedule,
  }),
  readDelinquency: asks({
    tag,
    summary: "Read a Loan's delays on a day",
    says: `${oneLoan} Folded up to the day.`,
    answer: delinquency,
  }),
  readLoanStatement: asks({
    tag,
    summary: "Read one Loan's statement",
    says: `${oneLoan} Every line that moved what the Loan owed, both days included.`,
    answer: loanStatement,
  }),
  readLoanEvidence: asks({
    tag,
    summary: 'Prove the facts of a Loan',
    says: `${oneLoan} With each fact the signed submission that caused it, to be checked without the service.`,
    answer: loanEvidence,
    refuses: ['contract_version_required'],
  }),
  readFeed: asks({
    tag: 'Loan events',
    summary: 'Follow the events of all Loans',
    says: 'Reads the facts of every Loan of the Tenancy by the number they were given at commit. A page with no events and the cursor unchanged means caught up. Cursors never expire.',
    answer: feed,
  }),
  streamFeed: {
    tag: 'Loan events',
    summary: 'Stream the events of all Loans',
    says: 'The feed as server-sent events: `id` is the cursor behind the event, as the feed gives it, `event` its kind, `data` its row. Begins behind `Last-Event-ID`, without it at the beginning. Comments between events keep the line open.',
    answer: streamedEvent,
    media: 'text/event-stream',
    statuses: [200],
    refuses: [],
  },
} as const satisfies { readonly [route: string]: Operation };
