/** The credit policies of the demo lender, and applicants by what the policies decide about them. */
import { staff } from './people.ts';
import { creditLine, type DemoProduct, personal } from './products.ts';
import { fromAnswer, pesos, type Step, type StepValue } from './step.ts';

const attributes = [
  { name: 'age', unit: 'years' },
  { name: 'write_offs' },
  { name: 'debt_to_income' },
  { name: 'income', unit: 'MXN a month' },
  { name: 'months_employed', unit: 'months' },
];

const knockouts = [
  {
    id: 'age',
    text: 'The applicant is under 18',
    attribute: 'age',
    comparison: 'below',
    bound: 18,
    outcome: 'not_offered',
    when_unknown: 'fires',
  },
  {
    id: 'default',
    text: 'A debt was written off in the last two years',
    attribute: 'write_offs',
    comparison: 'at_least',
    bound: 1,
    outcome: 'refuse',
    moratorium_days: 90,
    when_unknown: 'passes',
  },
  {
    id: 'burden',
    text: 'More than half of the income is owed each month',
    attribute: 'debt_to_income',
    comparison: 'above',
    bound: '0.5',
    outcome: 'refer',
    when_unknown: 'fires',
  },
];

const scorecard = [
  {
    id: 'income',
    attribute: 'income',
    bins: [
      { to: 8_000, points: -50 },
      { from: 8_000, to: 20_000, points: 40 },
      { from: 20_000, points: 120 },
    ],
    when_unknown: -100,
  },
  {
    id: 'employment',
    attribute: 'months_employed',
    bins: [
      { from: 0, to: 12, points: 0 },
      { from: 12, points: 80 },
    ],
    when_unknown: -20,
  },
];

const nominal = (percent: number) => ({ numerator: percent, denominator: 100, quotation: 'nominal_annual' });

function content(moratoriumDays: number) {
  return {
    attributes,
    knockouts,
    base_points: 400,
    scorecard,
    bands: [
      { id: 'low', to: 400, outcome: 'refuse', moratorium_days: moratoriumDays },
      { id: 'unsure', from: 400, to: 450, outcome: 'refer' },
      {
        id: 'fair',
        from: 450,
        to: 550,
        outcome: 'approve',
        rate: nominal(48),
        terms: [6, 12],
        principal_max: pesos(20_000),
      },
      { id: 'good', from: 550, outcome: 'approve', rate: nominal(36) },
    ],
  };
}

/** Two versions are published for personal loans, a third is a draft; the credit line has a policy of its own. */
export function policySteps(): readonly Step[] {
  return [
    ...publishedVersion('personal', 1, content(30)),
    adoption('personal', 1, personal),
    ...publishedVersion('personal', 2, content(60)),
    adoption('personal', 2, personal),
    draft('personal', 3, content(45)),
    ...publishedVersion('line', 1, content(30)),
    adoption('line', 1, creditLine),
  ];
}

function publishedVersion(policy: string, version: number, stated: StepValue): readonly Step[] {
  const name = `demo-policy-${policy}-${version}-publication`;
  return [
    draft(policy, version, stated),
    {
      name,
      route: 'publishPolicyVersion',
      at: { policy, policy_version: version },
      body: { reference: name, actor: staff.headOfRisk, basis: 'Approved by the credit committee.' },
    },
  ];
}

function draft(policy: string, version: number, stated: StepValue): Step {
  const name = `demo-policy-${policy}-${version}`;
  const account = { reference: name, actor: staff.risk, basis: 'Quarterly review of the portfolio.' };
  return { name, route: 'draftPolicyVersion', at: { policy }, body: { content: stated, ...account } };
}

function adoption(policy: string, version: number, { configuration }: DemoProduct): Step {
  const name = `demo-policy-${policy}-${version}-adoption`;
  const account = { reference: name, actor: staff.headOfRisk, basis: 'Approved by the credit committee.' };
  return {
    name,
    route: 'adoptPolicy',
    at: { configuration_id: fromAnswer(configuration, 'id') },
    body: { policy, version, enforce_bar: true, ...account },
  };
}

const known = (number: number | string) => ({ state: 'known', number });
const adult = { age: known(37), write_offs: known(0), debt_to_income: known('0.22') };

/** Attributes of applicants, by what the policies decide. */
export const applicants = {
  good: { ...adult, income: known(32_000), months_employed: known(48) },
  fair: { ...adult, income: known(12_500), months_employed: known(20) },
  unsure: { ...adult, income: known(9_000), months_employed: known(7) },
  poor: { ...adult, income: known(6_200), months_employed: known(3) },
  indebted: { ...adult, debt_to_income: known('0.61'), income: known(24_000), months_employed: known(30) },
  defaulted: { ...adult, write_offs: known(1), income: known(18_000), months_employed: known(26) },
  minor: { ...adult, age: known(17), income: known(8_500), months_employed: known(5) },
} as const;

export type Applicant = keyof typeof applicants;
