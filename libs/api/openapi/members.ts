/** What the members of a body are, by their names: a name means one thing wherever it is stated. */
import type { JsonSchema } from '#libs/schema/form.ts';

const says: { readonly [name: string]: string } = {
  reference: "The caller's own word for it. Sent again with the same body it answers what is recorded.",
  actor: "The caller's own word for who acts.",
  basis: 'Why, for whoever reads the book later.',
  context: 'Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing.',
  on: 'The civil day the fact is about, or that is asked about.',
  to: 'The last day of the window.',
  until: 'The last day on which the agreed sum settles.',
  notified_on: 'The day on which the borrower was told.',
  period: 'The index of a period, from 1.',
  charge: 'Which charge of the period.',
  amount: 'How much.',
  agreed: 'The sum that is taken for the whole debt.',
  event_id: 'The event that is withdrawn.',
  suspension_id: 'The suspension that is ended.',
  client_id: "The caller's own word for the Client.",
  merchant_ref: "The caller's own word for the merchant of the sale.",
  configuration_id: 'The product.',
  configuration_version: 'The version of the product that is sold.',
  principal: 'What is lent, a payment at purchase included.',
  term_periods: 'In how many periods it is paid back.',
  rate: 'The contract rate.',
  penalty_rate: 'May be left out where the product has a single one.',
  anchor: 'The day the Loan begins.',
  jurisdiction: 'The market whose law holds, in upper case.',
  tax: 'The rate of the tax, and the charges it is on.',
  down_payment: 'What is paid at purchase.',
  schedule: 'On which days periods end; required where the product offers a menu.',
  facility_id: 'The facility it is issued under, which then gives the rate.',
  hold_until: 'The last day on which the hold may be confirmed.',
  value_date: 'The civil day on which the money counts.',
  designated_loan_id: 'The one Loan it is for.',
  payoff_intent: 'Whether it is meant to discharge the designated Loan; false where not stated.',
  quote_id: 'The payoff quote the money follows.',
  rail: 'How the money came.',
  provider_reference: "The provider's own word for the payment.",
  reason: 'Why it went back.',
  archetype: 'Fixed at creation.',
  values: 'The terms of the product, whole.',
  transfer: 'Whether a key that names another version is moved.',
  content: 'The policy, whole.',
  policy: 'The policy.',
  policy_version: 'With `policy`: the version tried, which then binds nobody.',
  version: 'The number of a published version.',
  enforce_bar: 'Whether an application of a barred Client is refused.',
  submitted_on: 'The day of the application.',
  attributes: 'What was observed, by the names the policy reads.',
  sources: 'Where it was observed.',
  limit: 'Whether a ceiling for a line is asked for.',
  outcome: 'What the person decided.',
  principal_max: 'The most that may be lent.',
  moratorium_days: 'For how many days a refusal bars.',
  decision_id: 'The approving Decision.',
  opens_on: 'The first day on which it may be drawn.',
  expires_on: 'The last day on which it may be drawn.',
  line: 'Whether repayment refills it.',
  supersedes: 'The line it takes over from.',
  facts: 'What is supposed, in this order.',
  act: 'The last word of the path the fact would be sent to; `issue`, `receipt` and `reversal` by these names.',
  loan_id: 'The Loan the act is on.',
  body: 'What would be sent.',
  receipts: 'Each stands or falls by itself.',
  legal_name: 'As it is registered.',
  minor_units: 'Whole units of the smallest coin.',
  currency: 'Three upper-case letters.',
  numerator: 'Of the fraction of one a year.',
  denominator: 'Of the fraction of one a year.',
};

/** Every member of the body that says nothing of itself, with what its name says. */
export function withMembersSaid(body: JsonSchema): JsonSchema {
  const properties = body['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  if (properties === undefined) return body;
  const told = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const own = says[name];
    return [name, own === undefined || member['description'] !== undefined ? member : { ...member, description: own }];
  });
  return { ...body, properties: Object.fromEntries(told) };
}
