/** Documentation of the routes about Loans, their acts and the feed of Loan events. */
import { loanEvidence } from '#libs/api/answers/evidence.ts';
import { explanation } from '#libs/api/answers/explanation.ts';
import { feed, streamedEvent } from '#libs/api/answers/loan-events.ts';
import { delinquency, loanStatement, schedule } from '#libs/api/answers/loan-figures.ts';
import { loan, loanPage, preview, quote, quotePage } from '#libs/api/answers/loans.ts';
import { type Operation, readOperation, recordOperation } from '#libs/api/openapi/operation-definition.ts';
import type { Act } from '#libs/ledger/act.ts';
import { byOperation } from '#libs/ledger/acts/manifest.ts';
import { stateRefusals } from '#libs/ledger/loan-state.ts';
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

/** Codes of every act: its day, and the state of the Loan on that day. */
const anyAct: readonly RefusalCode[] = [
  'invalid_event',
  'loan_held',
  'loan_closed',
  'loan_undone',
  'already_written_off',
  'cession_in_force',
];

function actOperation({ kind, states, route }: Act): Operation {
  return recordOperation({
    tag,
    summary: route.summary,
    description: `${route.description} Records a \`${kind}\` fact about the Loan, and answers the whole Loan.`,
    answer: loan,
    refuses: [...anyAct, ...stateRefusals(states), ...route.refusals],
  });
}

const oneLoan = "Reads the book of the Loan's Client: every fact recorded about the Client.";

export const loanOperations = {
  listLoans: readOperation({
    tag,
    summary: 'List Loans',
    description:
      'Reads the books of the Clients whose Loans are on the page, all as of one moment. With `state` or `client_id`, at most ten times `limit` Loans are examined for a page, so a page may be short or empty and still have a `cursor`. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`.\n\nA Loan issued with a hold and not confirmed is listed only if `state` is `held`, `expired` (which needs `on`) or `voided`: a list without `state` has all other Loans. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear.',
    answer: loanPage,
  }),
  issueLoan: recordOperation({
    tag,
    summary: 'Issue a Loan',
    description:
      "Reads the configuration version, the market's law and the book of the Client. Records an `issued` fact with the terms, plan, disclosure and regime, which never change.",
    answer: loan,
    refuses: issuance,
  }),
  previewLoan: readOperation({
    tag,
    summary: 'Preview a Loan',
    description:
      'Runs every check of issuance in the same order, on the same facts, and records nothing. `reference` is ignored.',
    answer: preview,
    refuses: issuance,
  }),
  readLoan: readOperation({
    tag,
    summary: 'Read a Loan',
    description: `${oneLoan} The state is computed from all recorded facts. The read takes no day.`,
    answer: loan,
    refuses: ['contract_version_required'],
  }),
  ...byOperation(actOperation),
  retractFact: recordOperation({
    tag,
    summary: 'Retract a fact',
    description:
      'The fact named by `event_id` has no effect any more, on any day, and stays readable. Answers the whole Loan.',
    answer: loan,
    refuses: [...anyAct, 'not_retractable', 'already_retracted', 'fact_depended_on', 'loan_voided', 'loan_cancelled'],
  }),
  quotePayoff: recordOperation({
    tag,
    summary: 'Quote a payoff',
    description:
      'Records the amount that discharges the Loan on the day, as the book is now. A quote does not bind, and does not change the book version.',
    answer: quote,
  }),
  listPayoffQuotes: readOperation({
    tag,
    summary: 'List the payoff quotes of a Loan',
    description: oneLoan,
    answer: quotePage,
  }),
  readPayoffQuote: readOperation({ tag, summary: 'Read a payoff quote', description: oneLoan, answer: quote }),
  readSchedule: readOperation({
    tag,
    summary: "Read a Loan's schedule on a day",
    description: `${oneLoan} The figures on the day.`,
    answer: schedule,
  }),
  readDelinquency: readOperation({
    tag,
    summary: "Read a Loan's delays on a day",
    description: `${oneLoan} The figures on the day.`,
    answer: delinquency,
  }),
  explainLoan: readOperation({
    tag,
    summary: 'Explain the figures of a Loan on a day',
    description: `${oneLoan} The Loan, its payment options and its schedule on the day as of one moment, the part of each period in every figure, and the newest fifty Receipts that settled something by the day.`,
    answer: explanation,
    refuses: ['contract_version_required'],
  }),
  readLoanStatement: readOperation({
    tag,
    summary: "Read one Loan's statement",
    description: `${oneLoan} Every change of what the Loan owes, both days included.`,
    answer: loanStatement,
  }),
  readLoanEvidence: readOperation({
    tag,
    summary: 'Prove the facts of a Loan',
    description: `${oneLoan} Each fact comes with the signed submission that caused it, so that it can be verified without the service.`,
    answer: loanEvidence,
    refuses: ['contract_version_required'],
  }),
  readFeed: readOperation({
    tag: 'Loan events',
    summary: 'Follow the events of all Loans',
    description:
      'Reads the facts of all Loans of the Tenancy in the order of commit: issuances and acts, no Receipts, and no `settled`, which is computed. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire.',
    answer: feed,
  }),
  streamFeed: {
    tag: 'Loan events',
    summary: 'Stream the events of all Loans',
    description:
      'The feed as server-sent events: `id` is the cursor after the event, `event` its kind, `data` its row. Starts after `Last-Event-ID`, or at the beginning. Comments keep the connection open.',
    answer: streamedEvent,
    media: 'text/event-stream',
    statuses: [200],
    refuses: [],
  },
} as const satisfies { readonly [route: string]: Operation };
