/** Descriptions of the members of bodies, by name. A name means the same in every body. */
import type { JsonSchema } from '#libs/schema/schema.ts';

const descriptions: { readonly [name: string]: string } = {
  reference: "The caller's name for this record. The same reference with the same body answers what is recorded.",
  actor: "The caller's identifier of the person or system that acts.",
  basis: 'The reason, for later readers of the book.',
  context: 'Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect.',
  on: 'The civil day of the fact or of the answer.',
  to: 'The last day of the window.',
  until: 'The last day on which the agreed amount settles the debt.',
  notified_on: 'The day on which the borrower was notified.',
  period: 'The index of a period, from 1.',
  charge: 'The charge of the period.',
  amount: 'The amount.',
  agreed: 'The amount accepted for the whole debt.',
  event_id: 'The event to retract.',
  suspension_id: 'The suspension to end.',
  client_id: "The caller's identifier of the Client.",
  merchant_ref: "The caller's identifier of the merchant of the sale.",
  configuration_id: 'The product configuration.',
  configuration_version: 'The version of the product configuration.',
  principal: 'The amount lent, including a payment at purchase.',
  term_periods: 'The number of periods.',
  rate: 'The contract rate.',
  penalty_rate: 'Optional if the product has only one.',
  anchor: 'The first day of the Loan.',
  jurisdiction: 'The market whose law applies, in upper case.',
  tax: 'The rate of the tax and the taxed charges.',
  down_payment: 'The payment at purchase.',
  schedule: 'The days on which periods end. Required if the product offers a menu.',
  facility_id: 'The facility under which the Loan is issued. It then gives the rate.',
  hold_until: 'The last day on which the hold may be confirmed.',
  value_date: 'The civil day on which the money arrived.',
  designated_loan_id: 'The only Loan that the money is for.',
  payoff_intent:
    'Whether the money is meant to discharge the designated Loan. False by default; true needs `designated_loan_id`.',
  quote_id: 'The payoff quote that the money follows.',
  rail: 'How the money was paid.',
  provider_reference: "The provider's identifier of the payment.",
  reason: 'Why the money was returned.',
  archetype: 'The archetype of the product. It cannot be changed later.',
  values: 'All terms of the product.',
  transfer: 'Whether to move a key that points at another version.',
  content: 'The whole policy.',
  policy: 'The policy.',
  policy_version: 'With `policy`: the version of a trial, which has no binding effect.',
  version: 'The number of a published version.',
  enforce_bar: 'Whether an application of a barred Client is refused.',
  submitted_on: 'The day of the application.',
  attributes: 'The observed attributes, by the names that the policy uses.',
  sources: 'The sources of the attributes.',
  limit: 'Whether to decide a ceiling for a line.',
  outcome: 'The outcome that the person decided.',
  principal_max: 'The largest amount that may be lent.',
  moratorium_days: 'The number of days for which a refusal bars the Client.',
  decision_id: 'The approving Decision.',
  opens_on: 'The first day on which the facility may be drawn.',
  expires_on: 'The last day on which the facility may be drawn.',
  line: 'Whether repayment makes the amount available again.',
  supersedes: 'The line that this one replaces.',
  facts: 'The supposed facts, in order.',
  act: 'The last segment of the path of the route, or `issue`, `receipt` or `reversal`.',
  loan_id: 'The Loan of the act.',
  body: 'The body that would be sent.',
  receipts: 'The Receipts. Each is accepted or refused by itself.',
  legal_name: 'The registered name.',
  minor_units: 'Whole minor units of the currency.',
  currency: 'Three upper-case letters.',
  numerator: 'Of the yearly rate as a fraction of one.',
  denominator: 'Of the yearly rate as a fraction of one.',
};

/** Adds a description to every member of a body that has none of its own. */
export function withMemberDescriptions(body: JsonSchema): JsonSchema {
  const properties = body['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  if (properties === undefined) return body;
  const described = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const description = descriptions[name];
    const isDescribed = description === undefined || member['description'] !== undefined;
    return [name, isDescribed ? member : { ...member, description }];
  });
  return { ...body, properties: Object.fromEntries(described) };
}
