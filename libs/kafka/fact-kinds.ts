/** The kinds of facts and the members of their bodies, for consumers of the topic. */
import { acts } from '#libs/ledger/acts/manifest.ts';
import type { CreditFactKind } from '#libs/ledger/client/credit-records.ts';
import type { releasedKind } from '#libs/ledger/release.ts';

/** All acts on a Loan have the same members; what is special to a kind is under `stated`. */
const describeAct = (stated?: string): string =>
  `\`loan_id\`, \`event_id\`, \`on\`, \`act\`${stated === undefined ? '' : `, \`stated\`: ${stated}`}`;

const actKinds: { readonly [kind: string]: string } = Object.fromEntries(
  acts.map(({ kind, statedFields }) => {
    const stated = statedFields.map((name) => `\`${name}\``).join(', ');
    return [kind, describeAct(stated === '' ? undefined : stated)];
  }),
);

const credit: { readonly [Kind in CreditFactKind]: string } = {
  credit_decided: 'The Decision as the API answers it, with reference, actor and basis under `act`.',
  decision_resolved: 'The resolution as the API answers it, with reference, actor and basis under `act`.',
  facility_opened: 'The facility as the API answers it, with reference, actor and basis under `act`.',
};

/** In a Client's book (`c/{client_id}`). */
export const clientFacts = {
  registered: 'The members of the registration.',
  issued:
    '`loan_id`, `event_id`, `reference`, `configuration`, `stated` (the requested terms), and the terms fixed at issuance: `terms`, `plan`, `disclosure`.',
  ...actKinds,
  retracted: describeAct('`event_id` (the withdrawn fact)'),
  receipt_reported: '`id`, `receipt` (as requested), `quote` (if the Receipt names one).',
  receipt_reversed: '`receipt` (its reference), `reason`, `act`.',
  payoff_quoted: '`id`, `loanId`, `on`, `owed`, `act`.',
  ...credit,
};

/** In the Tenancy's own book (`t`). */
export const tenancyFacts = {
  tenancy_opened: '`name`, `live`, `jurisdiction`, `time_zone`, `bounds`, `actor` (the operator).',
  bounds_set: '`bounds` (null for the default), `actor`.',
  key_minted: '`fp`, `public_key`, `scope`, `holder`, `label`, `actor`.',
  key_revoked: '`fp`, `actor`.',
  configuration_created: '`id`, `archetype`, `values`.',
  configuration_version: '`id`, `version`, `values`.',
  lookup_key_pointed: '`lookup_key`, `configuration_id`, `configuration_version`.',
  lookup_key_removed: '`lookup_key`.',
  policy_drafted: '`policy`, `version`, `digest`, `content`, `drafted_by`, `act`.',
  policy_published: '`policy`, `version`, `published_by`, `self_confirmed`, `act`.',
  policy_adopted: '`configuration_id`, `policy`, `version`, `enforce_bar`, `adopted_by`, `act`.',
  company_profile_put: '`profile` (all of it).',
};

/** In a book of either kind. */
export const anyBookFacts: { readonly [Kind in typeof releasedKind]: string } = {
  released:
    '`basis`, `drop` (the submissions that were dropped), `actor`. It releases a parked book and changes no figures.',
};
