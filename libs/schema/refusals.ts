/**
 * The catalogue of refusals. It is append-only: a code is never renamed and never changes its meaning. The OpenAPI
 * document and every `refuse` use this table.
 */

/** When the same intent may succeed: sent again as is, after another fact is recorded, after a change, or never. */
export type Retry = 'as_is' | 'after_record' | 'after_change' | 'never';

export type DetailKey = 'field' | 'fields' | 'recorded_id' | 'recorded_value' | 'stated_value' | 'bound' | 'observed';

/** Details are JSON as callers read it, so domain values such as days and amounts must be formatted first. */
export type DetailValue =
  | string
  | number
  | boolean
  | null
  | readonly DetailValue[]
  | { readonly [member: string]: DetailValue };

interface CatalogueRow<Key extends DetailKey> {
  readonly status: number;
  readonly retry: Retry;
  readonly details: readonly Key[];
  /** A sentence for people. Its wording may change at any time. */
  readonly message: string;
}

function row<const Key extends DetailKey = never>(
  status: number,
  retry: Retry,
  details: readonly Key[],
  message: string,
): CatalogueRow<Key> {
  return { status, retry, details, message };
}

const field = ['field', 'bound', 'observed'] as const;
/** `fields` is present where several fields of the body are at fault. */
const fields = [...field, 'fields'] as const;
const limit = ['bound', 'observed'] as const;
const recorded = ['recorded_id'] as const;
const recordedValue = ['recorded_id', 'recorded_value'] as const;
const recordedLimit = ['recorded_id', ...limit] as const;

export const catalogue = {
  invalid_query: row(400, 'after_change', field, 'The query or a header is invalid for this route, or too long.'),
  invalid_contract_version: row(400, 'after_change', field, 'The requested Contract-Version is not a published one.'),
  invalid_body: row(400, 'after_change', field, 'The body is not a valid JSON object, or did not arrive in time.'),

  unauthenticated: row(401, 'after_change', [], 'The request has no valid credential.'),

  not_permitted_tenant: row(
    403,
    'after_change',
    [],
    'The key belongs to another Tenancy. It permits the paths of its own.',
  ),
  not_permitted_scope: row(403, 'after_change', [], 'The scope of the key permits GET and HEAD alone.'),
  not_permitted_agent: row(
    403,
    'after_change',
    [],
    'Agents cannot point or remove lookup keys on a live Tenancy; services can.',
  ),

  not_found: row(404, 'after_record', field, 'Nothing is recorded under that name.'),
  no_route: row(404, 'after_change', [], 'There is no such path. Paths begin with /v1/ and have no slash at the end.'),
  no_receipt: row(404, 'after_record', field, 'No Receipt is recorded under that reference.'),
  no_configuration: row(404, 'after_record', field, 'There is no such configuration version.'),
  no_quote: row(404, 'after_record', field, 'The Loan has no such payoff quote.'),

  method_not_allowed: row(405, 'after_change', limit, 'The path does not support that method.'),
  contract_version_required: row(406, 'after_change', limit, 'The record needs a newer Contract-Version.'),

  contended: row(409, 'as_is', [], 'Another write to the same book took too long. Nothing was recorded.'),
  reference_reused: row(409, 'after_change', recorded, 'The reference is already recorded with another body.'),
  client_registered: row(409, 'after_change', recorded, 'The Client is already registered with another body.'),
  lookup_key_taken: row(
    409,
    'after_change',
    [...recordedValue, 'stated_value'],
    'The lookup key points at another version.',
  ),
  client_barred: row(409, 'after_record', recordedLimit, 'The Client is barred from new credit.'),
  already_resolved: row(409, 'never', recordedValue, 'The Decision is already resolved.'),
  already_published: row(409, 'never', recordedValue, 'The policy version is already published.'),
  not_referred: row(409, 'never', recordedLimit, 'The Decision was not referred.'),
  decision_not_approving: row(409, 'after_change', recordedLimit, 'The Decision is not an approval.'),

  loan_held: row(409, 'after_record', limit, 'The Loan is held and was not confirmed by that day.'),
  loan_closed: row(409, 'never', limit, 'The Loan is closed.'),
  loan_voided: row(409, 'never', limit, 'The Loan is voided.'),
  loan_cancelled: row(409, 'never', limit, 'The Loan is cancelled.'),
  loan_undone: row(409, 'never', limit, 'The Loan is undone.'),
  loan_has_receipts: row(409, 'after_record', limit, 'Receipts have settled something on the Loan.'),
  not_held: row(409, 'after_change', limit, 'The Loan is not held; only a held Loan is confirmed or voided.'),
  hold_expired: row(409, 'never', limit, 'The hold ended before that day.'),
  cession_in_force: row(409, 'after_record', limit, 'The Loan is ceded.'),
  already_ceded: row(409, 'never', limit, 'A cession is already in force.'),
  already_written_off: row(409, 'never', limit, 'A write-off is already in force.'),
  already_suspended: row(
    409,
    'after_record',
    [...recorded, 'bound'],
    'A suspension already covers part of that window.',
  ),
  already_retracted: row(409, 'never', [], 'The fact is already retracted.'),
  already_reversed: row(409, 'never', recorded, 'The Receipt is already reversed.'),
  fact_depended_on: row(409, 'after_record', recorded, 'Another fact in force depends on this one.'),
  withdrawal_window_closed: row(409, 'never', limit, 'The period in which the borrower may withdraw has ended.'),
  waiver_exceeds_charge: row(409, 'after_change', limit, 'The waiver is more than what is owed of the charge.'),
  return_exceeds_principal: row(409, 'after_change', limit, 'The return is above the outstanding principal.'),
  rollovers_exhausted: row(409, 'never', limit, 'The Loan has no rollovers left.'),
  rollover_unpaid: row(409, 'after_record', [], 'The charges of the ending period were not settled by that day.'),
  acceleration_forbidden: row(409, 'never', [], 'The regime of the Loan forbids acceleration.'),
  acceleration_unearned: row(409, 'after_record', limit, 'Too few periods are late to call the balance.'),
  notice_too_short: row(409, 'after_change', limit, 'The notice to the borrower was too short.'),

  body_too_large: row(413, 'after_change', ['bound'], 'The body is larger than this route accepts.'),
  unsupported_media_type: row(415, 'after_change', [], 'The body must be application/json without a content encoding.'),

  unknown_field: row(422, 'after_change', fields, 'The body has a member that this route does not know.'),
  missing_field: row(422, 'after_change', fields, 'A required field is missing.'),
  invalid_field: row(422, 'after_change', fields, 'A field has a wrong type or format.'),
  invalid_identifier: row(422, 'after_change', fields, 'A name does not match its grammar.'),
  amount_out_of_range: row(422, 'after_change', fields, 'An amount is outside the range of exact numbers.'),
  field_locked: row(422, 'after_change', fields, 'The archetype fixes this field; leave it out.'),
  inconsistent_values: row(422, 'after_change', field, 'Two stated values contradict each other.'),
  idempotency_mismatch: row(
    422,
    'after_change',
    field,
    'The Idempotency-Key was used for another request; a changed request needs a new one.',
  ),
  unknown_client: row(422, 'after_record', field, 'The Client is not registered.'),
  unknown_loan: row(422, 'after_record', field, 'The Client has no such Loan.'),

  outside_loan: row(422, 'after_change', field, 'The day is missing: state on as YYYY-MM-DD.'),
  invalid_application: row(422, 'after_change', field, 'The application is invalid.'),
  invalid_event: row(422, 'after_change', field, 'The fact cannot be recorded on that day.'),
  return_not_provided: row(422, 'never', field, 'The product provides no returns.'),
  withdrawal_not_provided: row(422, 'never', field, 'The product provides no withdrawal.'),
  rollover_not_provided: row(422, 'never', field, 'The product provides no rollover.'),
  charge_not_waivable: row(
    422,
    'after_change',
    field,
    'That charge cannot be waived; interest, fees and penalties can.',
  ),
  settlement_not_less: row(422, 'after_change', field, 'The agreed amount is not below what discharges the Loan.'),
  not_retractable: row(422, 'never', field, 'That fact cannot be retracted; an act on a Loan can.'),
  payoff_needs_designation: row(422, 'after_change', fields, 'A payoff must designate its Loan by designated_loan_id.'),

  currency_mismatch: row(422, 'after_change', field, 'The currency does not match.'),
  principal_outside_range: row(422, 'after_change', field, 'The principal is outside what the product offers.'),
  term_not_offered: row(422, 'after_change', field, 'The term is not offered.'),
  schedule_not_offered: row(422, 'after_change', field, 'The schedule is not offered.'),
  rate_outside_corridor: row(422, 'after_change', field, 'The rate is outside the corridor.'),
  penalty_rate_outside_corridor: row(422, 'after_change', field, 'The penalty rate is outside the corridor.'),
  down_payment_outside_range: row(422, 'after_change', field, 'The down payment is outside what the product offers.'),
  tax_not_provided: row(422, 'after_change', field, 'The market does not provide that tax.'),
  penalty_rate_above_cap: row(422, 'after_change', field, "The penalty rate is above the market's cap."),
  late_fee_beside_penalty: row(422, 'after_change', field, 'The market permits no late fee with a penalty rate.'),
  outside_market: row(422, 'after_change', field, "The product's terms are outside what the market permits."),
  beyond_horizon: row(422, 'after_change', field, 'The plan ends after the last day of the calendar.'),
  hold_outside_range: row(422, 'after_change', field, 'The hold is outside what the product offers.'),
  plan_not_amortising: row(
    422,
    'after_change',
    field,
    'The payments would not cover the interest; a lower rate or another term would.',
  ),
  figure_out_of_range: row(422, 'after_change', field, 'The yearly figure is too high to be disclosed.'),
  client_open_loans: row(422, 'after_record', field, 'The Client has the maximum number of open Loans.'),
  client_exposure: row(422, 'after_record', field, 'The Client would owe more than the product permits.'),
  client_overdue: row(
    422,
    'after_record',
    field,
    'A Loan of the Client is overdue; the product issues no other until it is paid.',
  ),

  facility_other_client: row(422, 'after_change', field, 'The facility belongs to another Client.'),
  facility_other_configuration: row(422, 'after_change', field, 'The facility is for another configuration.'),
  outside_facility_window: row(422, 'after_change', field, 'The anchor is outside the days of the facility.'),
  facility_exhausted: row(422, 'after_record', field, 'The facility does not have enough headroom.'),
  facility_superseded: row(422, 'after_record', field, 'The line was superseded by another one.'),
  cannot_supersede: row(422, 'after_change', field, 'That is not an open line of this Client and configuration.'),
  amount_above_decision: row(422, 'after_change', field, 'The amount is above what the Decision approved.'),
  outside_window_bound: row(422, 'after_change', field, 'The facility is open longer than the market permits.'),
  no_policy: row(422, 'after_record', field, 'No such policy version is published, or none is adopted.'),
  invalid_policy: row(422, 'after_change', fields, 'The content is not a valid policy.'),
  rate_without_decimal: row(422, 'after_change', field, 'A rate has no decimal of at most eight places.'),

  too_many_concurrent: row(429, 'as_is', ['bound'], 'Too many concurrent requests of this Tenancy.'),
  rate_exceeded: row(429, 'as_is', ['bound'], 'This Tenancy exceeds its request rate.'),

  internal_error: row(500, 'as_is', [], 'The service failed.'),
  unavailable: row(503, 'as_is', [], 'The service is temporarily unavailable.'),
} as const satisfies Record<string, CatalogueRow<DetailKey>>;

export type RefusalCode = keyof typeof catalogue;

/** The codes whose details include all of these. */
export type CodeWithDetails<Keys> = {
  [Code in RefusalCode]: [Keys] extends [(typeof catalogue)[Code]['details'][number]] ? Code : never;
}[RefusalCode];

/** A refusal with one of these always says what is allowed, as `bound`: a limit, a list of values, or a form. */
export const codesWithBound = [
  'invalid_query',
  'invalid_contract_version',
  'invalid_body',
  'method_not_allowed',
  'contract_version_required',
  'client_barred',
  'not_referred',
  'decision_not_approving',
  'hold_expired',
  'withdrawal_window_closed',
  'waiver_exceeds_charge',
  'return_exceeds_principal',
  'rollovers_exhausted',
  'acceleration_unearned',
  'notice_too_short',
  'already_suspended',
  'loan_held',
  'loan_closed',
  'loan_voided',
  'loan_cancelled',
  'loan_undone',
  'not_held',
  'cession_in_force',
  'already_ceded',
  'already_written_off',
  'body_too_large',
  'invalid_field',
  'invalid_identifier',
  'amount_out_of_range',
  'field_locked',
  'inconsistent_values',
  'invalid_application',
  'invalid_event',
  'charge_not_waivable',
  'settlement_not_less',
  'currency_mismatch',
  'principal_outside_range',
  'term_not_offered',
  'schedule_not_offered',
  'rate_outside_corridor',
  'penalty_rate_outside_corridor',
  'down_payment_outside_range',
  'tax_not_provided',
  'penalty_rate_above_cap',
  'late_fee_beside_penalty',
  'outside_market',
  'beyond_horizon',
  'hold_outside_range',
  'client_open_loans',
  'client_exposure',
  'facility_other_client',
  'facility_other_configuration',
  'outside_facility_window',
  'facility_exhausted',
  'facility_superseded',
  'cannot_supersede',
  'amount_above_decision',
  'outside_window_bound',
  'invalid_policy',
  'rate_without_decimal',
  'too_many_concurrent',
  'rate_exceeded',
] as const satisfies readonly RefusalCode[];

type CodeWithBound = (typeof codesWithBound)[number];

declare const newer: unique symbol;

/** A code of a newer release, which this one passes on. */
export type NewerRefusalCode = string & { readonly [newer]: true };

type KeysOf<Code extends RefusalCode> = (typeof catalogue)[Code]['details'][number];

export type DetailsOfCode<Code extends RefusalCode> = [KeysOf<Code>] extends [never]
  ? { readonly [none in string]: never }
  : { readonly [key in KeysOf<Code>]?: DetailValue };

export type RefusalDetails = { readonly [key in DetailKey]?: DetailValue };

/** A refusal is a value: returned by a rule, carried in a verdict, and written as the body of a response. */
export interface Refusal {
  readonly refused: true;
  readonly code: RefusalCode | NewerRefusalCode;
  readonly status: number;
  readonly retry: Retry;
  /** Set for a code that is not in the catalogue. */
  readonly message?: string;
  readonly details?: RefusalDetails;
  /** Whole seconds; sent as `Retry-After` as well. */
  readonly retryAfter?: number;
}

const unavailableRetrySeconds = 5;

type RefusalArguments<Code extends RefusalCode> = Code extends CodeWithBound
  ? [details: DetailsOfCode<Code> & { readonly bound: DetailValue }, retryAfter?: number]
  : [details?: DetailsOfCode<Code>, retryAfter?: number];

/** A refusal with a code that has a bound does not compile without it. */
export function refuse<Code extends RefusalCode>(
  code: Code,
  ...[details, retryAfter]: RefusalArguments<Code>
): Refusal {
  const { status, retry } = catalogue[code];
  const seconds = retryAfter ?? (code === 'unavailable' ? unavailableRetrySeconds : undefined);
  return {
    refused: true,
    code,
    status,
    retry,
    ...(details === undefined ? {} : { details: details as RefusalDetails }),
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(catalogue, code);
}
