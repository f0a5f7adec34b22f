/**
 * Every code the service refuses with. The catalogue is append-only: a code is never renamed, never given another
 * meaning. The OpenAPI document, the tests and every `refuse` are made from this one table. Pure.
 */

/** What the caller may do next: send it again, after something else is recorded, after changing it, or not at all. */
export type Retry = 'as_is' | 'after_record' | 'after_change' | 'never';

export type DetailKey = 'field' | 'recorded_id' | 'recorded_value' | 'stated_value' | 'bound' | 'observed';

/** Details are JSON as the caller reads it: days as text, money as an object. A domain value is formatted before it is refused with. */
export type DetailValue =
  | string
  | number
  | boolean
  | null
  | readonly DetailValue[]
  | { readonly [member: string]: DetailValue };

interface Row<Key extends DetailKey> {
  readonly status: number;
  readonly retry: Retry;
  readonly details: readonly Key[];
  /** The sentence for a person; may be reworded at any time. */
  readonly says: string;
}

function row<const Key extends DetailKey = never>(
  status: number,
  retry: Retry,
  details: readonly Key[],
  says: string,
): Row<Key> {
  return { status, retry, details, says };
}

const spot = ['field', 'bound', 'observed'] as const;
const limit = ['bound', 'observed'] as const;
const recorded = ['field', 'recorded_id', 'recorded_value', 'stated_value'] as const;
const standing = ['recorded_id', 'recorded_value', 'bound', 'observed'] as const;

export const catalogue = {
  invalid_query: row(400, 'after_change', spot, 'The query, or a header read like one, is not one this route reads.'),
  invalid_contract_version: row(400, 'after_change', spot, 'The stated Contract-Version was never published.'),
  invalid_body: row(400, 'after_change', spot, 'The body is not the JSON object this route reads.'),

  unauthenticated: row(401, 'after_change', [], 'The request carries no usable credential.'),

  not_permitted_tenant: row(403, 'after_change', [], 'This key acts for another Tenancy.'),
  not_permitted_scope: row(403, 'after_change', [], 'The scope of this key does not permit this method.'),
  not_permitted_agent: row(403, 'after_change', [], 'An agent cannot point or remove a lookup key on a live Tenancy.'),

  not_found: row(404, 'after_record', spot, 'Nothing is recorded here under that name.'),
  no_route: row(404, 'after_change', [], 'There is no such path.'),
  no_receipt: row(404, 'after_record', spot, 'No Receipt was reported under that reference.'),
  no_configuration: row(404, 'after_record', spot, 'There is no such configuration at that version.'),
  no_quote: row(404, 'after_record', spot, 'No such payoff quote is recorded on that Loan.'),

  method_not_allowed: row(405, 'after_change', ['bound', 'observed'], 'This path does not answer that method.'),
  contract_version_required: row(406, 'after_change', limit, 'The record needs a newer Contract-Version to be stated.'),

  contended: row(409, 'as_is', [], 'Another write for the same book held its turn too long; nothing was written.'),
  reference_reused: row(409, 'after_change', recorded, 'The reference is recorded with a differing body.'),
  client_registered: row(409, 'after_change', recorded, 'The Client is registered with a differing body.'),
  lookup_key_taken: row(409, 'after_change', recorded, 'The lookup key names another version.'),
  client_barred: row(409, 'after_record', standing, 'The Client is barred from applying.'),
  already_resolved: row(409, 'never', standing, 'The Decision is resolved already.'),
  already_published: row(409, 'never', standing, 'The policy version is published already.'),
  not_referred: row(409, 'never', standing, 'The Decision was not referred to a person.'),
  decision_not_approving: row(409, 'after_change', standing, 'The Decision does not approve.'),

  loan_held: row(409, 'after_record', standing, 'The Loan is held and was not confirmed by then.'),
  loan_closed: row(409, 'never', standing, 'The Loan is closed.'),
  loan_voided: row(409, 'never', standing, 'The Loan is voided.'),
  loan_cancelled: row(409, 'never', standing, 'The Loan is cancelled.'),
  loan_undone: row(409, 'never', standing, 'The Loan is undone.'),
  loan_has_receipts: row(409, 'after_record', standing, 'Receipts have settled something on the Loan.'),
  not_held: row(409, 'after_change', standing, 'The Loan is not held.'),
  hold_expired: row(409, 'never', standing, 'The hold ended before that day.'),
  cession_in_force: row(409, 'after_record', standing, 'The Loan is ceded.'),
  already_ceded: row(409, 'never', standing, 'A cession already stands.'),
  already_written_off: row(409, 'never', standing, 'A write-off already stands.'),
  already_suspended: row(409, 'after_record', standing, 'A suspension already covers part of that window.'),
  already_retracted: row(409, 'never', standing, 'The fact is withdrawn already.'),
  already_reversed: row(409, 'never', standing, 'The Receipt is reversed already.'),
  fact_depended_on: row(409, 'after_record', standing, 'Another fact in force depends on this one.'),
  withdrawal_window_closed: row(409, 'never', standing, 'The days in which the borrower may withdraw are over.'),
  waiver_exceeds_charge: row(409, 'after_change', standing, 'The waiver is more than what is owed of that charge.'),
  return_exceeds_principal: row(409, 'after_change', standing, 'The return is above the principal outstanding.'),
  rollovers_exhausted: row(409, 'never', standing, 'The Loan was rolled over as often as its product permits.'),
  rollover_unpaid: row(409, 'after_record', standing, 'What the ending period charges was not settled by then.'),
  acceleration_forbidden: row(409, 'never', standing, 'The regime of the Loan forbids acceleration.'),
  acceleration_unearned: row(409, 'after_record', standing, 'Too few periods are late for the balance to be called.'),
  notice_too_short: row(409, 'after_change', standing, 'The notice to the borrower was too short.'),

  body_too_large: row(413, 'after_change', ['bound'], 'The body is longer than this route takes.'),
  unsupported_media_type: row(415, 'after_change', [], 'The body must be application/json, unencoded.'),

  unknown_field: row(422, 'after_change', spot, 'The body states a member this route does not read.'),
  missing_field: row(422, 'after_change', spot, 'A required field is absent.'),
  invalid_field: row(422, 'after_change', spot, 'A field is of a wrong type or form.'),
  invalid_identifier: row(422, 'after_change', spot, 'A name breaks the grammar of its kind.'),
  amount_out_of_range: row(422, 'after_change', spot, 'An amount is beyond what can be carried exactly.'),
  field_locked: row(422, 'after_change', spot, 'The archetype fixes this field.'),
  inconsistent_values: row(422, 'after_change', spot, 'Two stated values contradict each other.'),
  idempotency_mismatch: row(422, 'after_change', spot, 'The Idempotency-Key was used for a different request.'),
  unknown_client: row(422, 'after_record', spot, 'The Client is not registered.'),
  unknown_loan: row(422, 'after_record', spot, 'The Client has no such Loan.'),

  outside_loan: row(422, 'after_change', spot, 'The day asked about is absent.'),
  invalid_application: row(422, 'after_change', spot, 'The application cannot be read as stated.'),
  invalid_event: row(422, 'after_change', spot, 'The fact cannot stand on that day.'),
  return_not_provided: row(422, 'never', spot, 'The product takes no returns.'),
  withdrawal_not_provided: row(422, 'never', spot, 'The product provides no withdrawal.'),
  rollover_not_provided: row(422, 'never', spot, 'The product provides no rollover.'),
  charge_not_waivable: row(422, 'after_change', spot, 'That charge cannot be waived.'),
  settlement_not_less: row(422, 'after_change', spot, 'The sum agreed is not below what would discharge the Loan.'),
  not_retractable: row(422, 'never', spot, 'That fact cannot be withdrawn.'),
  payoff_needs_designation: row(422, 'after_change', spot, 'A payoff must name the Loan it is for.'),

  currency_mismatch: row(422, 'after_change', spot, 'The currency is not the one this is kept in.'),
  principal_outside_range: row(422, 'after_change', spot, 'The principal is outside what the product offers.'),
  term_not_offered: row(422, 'after_change', spot, 'The term is not offered.'),
  schedule_not_offered: row(422, 'after_change', spot, 'The schedule is not offered.'),
  rate_outside_corridor: row(422, 'after_change', spot, 'The rate is outside the corridor.'),
  penalty_rate_outside_corridor: row(422, 'after_change', spot, 'The penalty rate is outside the corridor.'),
  down_payment_outside_range: row(422, 'after_change', spot, 'The down payment is outside what the product offers.'),
  tax_not_provided: row(422, 'after_change', spot, 'The market does not provide that tax.'),
  penalty_rate_above_cap: row(422, 'after_change', spot, "The penalty rate is above the market's cap."),
  late_fee_beside_penalty: row(422, 'after_change', spot, 'The market permits no late fee beside a penalty rate.'),
  outside_market: row(422, 'after_change', spot, "The product's terms are outside what the market permits."),
  beyond_horizon: row(422, 'after_change', spot, 'The plan runs past the last day the calendar covers.'),
  hold_outside_range: row(422, 'after_change', spot, 'The hold is outside what the product offers.'),
  plan_not_amortising: row(422, 'after_change', spot, 'The payments would not cover the interest.'),
  figure_out_of_range: row(422, 'after_change', spot, 'The figure to be disclosed is beyond what can be stated.'),
  client_open_loans: row(422, 'after_record', spot, 'The Client holds as many open Loans as the product permits.'),
  client_exposure: row(422, 'after_record', spot, 'The Client would owe more than the product permits.'),
  client_overdue: row(422, 'after_record', spot, 'A Loan of the Client is overdue.'),

  facility_other_client: row(422, 'after_change', spot, 'The facility is another Client’s.'),
  facility_other_configuration: row(422, 'after_change', spot, 'The facility covers another configuration.'),
  outside_facility_window: row(422, 'after_change', spot, 'The anchor is outside the days of the facility.'),
  facility_exhausted: row(422, 'after_record', spot, 'The facility has not enough headroom.'),
  facility_superseded: row(422, 'after_record', spot, 'Another line has superseded this one.'),
  cannot_supersede: row(422, 'after_change', spot, 'That is not a live line of this Client and configuration.'),
  amount_above_decision: row(422, 'after_change', spot, 'The amount is above what the Decision approved.'),
  outside_window_bound: row(422, 'after_change', spot, 'The facility is open longer than the market permits.'),
  no_policy: row(422, 'after_record', spot, 'No such policy version is published or adopted.'),
  invalid_policy: row(422, 'after_change', spot, 'The content is not a policy that decides every application.'),
  rate_without_decimal: row(422, 'after_change', spot, 'A rate has no decimal of at most eight places.'),

  too_many_concurrent: row(429, 'as_is', ['bound'], 'Too many requests of this Tenancy are being served.'),
  rate_exceeded: row(429, 'as_is', ['bound'], 'This Tenancy sends requests faster than its bound.'),

  internal_error: row(500, 'as_is', [], 'The service failed.'),
  unavailable: row(503, 'as_is', [], 'The service cannot answer now.'),
} as const satisfies Record<string, Row<DetailKey>>;

export type RefusalCode = keyof typeof catalogue;

declare const newer: unique symbol;

/** Refused with by a newer release, and passed on as that says it. */
export type NewerCode = string & { readonly [newer]: true };

type KeysOf<Code extends RefusalCode> = (typeof catalogue)[Code]['details'][number];

export type DetailsOf<Code extends RefusalCode> = [KeysOf<Code>] extends [never]
  ? { readonly [none in string]: never }
  : { readonly [key in KeysOf<Code>]?: DetailValue };

export type Details = { readonly [key in DetailKey]?: DetailValue };

/** A refusal is a value: returned by a rule, carried in a verdict, rendered by the door. */
export interface Refusal {
  readonly refused: true;
  readonly code: RefusalCode | NewerCode;
  readonly status: number;
  readonly retry: Retry;
  /** Where the catalogue has no sentence for the code. */
  readonly says?: string;
  readonly details?: Details;
  /** Whole seconds; sent as `Retry-After` as well. */
  readonly retryAfter?: number;
}

/** How long a caller waits after the door could not say what became of a request. */
const unavailableSeconds = 5;

export function refuse<Code extends RefusalCode>(code: Code, details?: DetailsOf<Code>, retryAfter?: number): Refusal {
  const { status, retry } = catalogue[code];
  const seconds = retryAfter ?? (code === 'unavailable' ? unavailableSeconds : undefined);
  return {
    refused: true,
    code,
    status,
    retry,
    ...(details === undefined ? {} : { details: details as Details }),
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(catalogue, code);
}
