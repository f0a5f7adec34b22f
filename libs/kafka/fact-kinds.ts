/** The kinds of facts, and what the body of each holds: for whoever reads the topic without the service's code. */
import type { CreditKind } from '#libs/ledger/client/credit.ts';
import type { ActKind } from '#libs/ledger/facts.ts';
import type { releasedKind } from '#libs/ledger/release.ts';

/** Acts on a Loan hold the same, and each its own beside it under `stated`. */
const act = (stated?: string): string =>
  `\`loan_id\`, \`event_id\`, \`on\`, \`act\`${stated === undefined ? '' : `, \`stated\`: ${stated}`}`;

const acts: { readonly [Kind in ActKind]: string } = {
  confirmed: act(),
  voided: act(),
  cancelled: act(),
  rescinded: act(),
  withdrawn: act(),
  suspended: act('`to`'),
  suspension_ended: act('`suspension_id`'),
  waived: act('`period`, `charge`, `amount`'),
  returned: act('`amount`'),
  rolled_over: act(),
  restructured: act('`term_periods`, `rate`, `schedule`, `penalty_rate`'),
  accelerated: act('`notified_on`'),
  settled_for_less: act('`agreed`, `until`'),
  written_off: act(),
  ceded: act(),
};

const credit: { readonly [Kind in CreditKind]: string } = {
  credit_decided: 'The Decision as it is answered, its account under `act`.',
  decision_resolved: 'The resolution as it is answered, its account under `act`.',
  facility_opened: 'The facility as it is answered, its account under `act`.',
};

/** In a Client's book, `c/` and the Client. */
export const clientFacts = {
  registered: 'What the registration stated.',
  issued:
    '`loan_id`, `event_id`, `reference`, `configuration`, `stated` (the terms as they were stated), and what was frozen: `terms`, `plan`, `disclosure`.',
  ...acts,
  retracted: act('`event_id`, the fact that is withdrawn'),
  receipt_reported: '`id`, `receipt` as it was stated; `quote` where it named one.',
  receipt_reversed: '`receipt` (its reference), `reason`, `act`.',
  payoff_quoted: '`id`, `loanId`, `on`, `owed`, `act`.',
  ...credit,
};

/** In the Tenancy's own book, `t`. */
export const tenancyFacts = {
  tenancy_opened: '`name`, `live`, `jurisdiction`, `time_zone`, `bounds`, and the person as `actor`.',
  bounds_set: '`bounds`, or null for the default; `actor`.',
  key_minted: '`fp`, `public_key`, `scope`, `holder`, `label`, `actor`.',
  key_revoked: '`fp`, `actor`.',
  configuration_created: '`id`, `archetype`, `values`.',
  configuration_version: '`id`, `version`, `values`.',
  lookup_key_pointed: '`lookup_key`, `configuration_id`, `configuration_version`.',
  lookup_key_removed: '`lookup_key`.',
  policy_drafted: '`policy`, `version`, `digest`, `content`, `drafted_by`, `act`.',
  policy_published: '`policy`, `version`, `published_by`, `self_confirmed`, `act`.',
  policy_adopted: '`configuration_id`, `policy`, `version`, `enforce_bar`, `adopted_by`, `act`.',
  company_profile_put: '`profile`, whole.',
};

/** In a book of either kind. */
export const anyBookFacts: { readonly [Kind in typeof releasedKind]: string } = {
  released:
    '`basis`, `drop` (places that were dropped), `actor`: who let a parked book go on. It changes nothing else.',
};
