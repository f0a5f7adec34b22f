/** The pages of the reference and the operations on each. */
import type { RouteName } from '#libs/api/routes.ts';

export interface Resource {
  readonly slug: string;
  readonly title: string;
  readonly introduction: string;
  readonly operations: readonly RouteName[];
}

export const resources: readonly Resource[] = [
  {
    slug: 'clients',
    title: 'Clients',
    introduction:
      'A Client is a person or company that borrows. You choose the identifier, and you keep the personal data: this service needs none. A Client is registered before anything is recorded about it.',
    operations: [
      'registerClient',
      'readClient',
      'listClients',
      'readPaymentOptions',
      'readStatement',
      'listReceipts',
      'readObligations',
    ],
  },
  {
    slug: 'configurations',
    title: 'Product configurations',
    introduction:
      'A product configuration is one numbered version of the terms under which you offer Loans. A version never changes. A Loan keeps the version under which it was issued.',
    operations: [
      'previewConfiguration',
      'createConfiguration',
      'writeConfigurationVersion',
      'readConfiguration',
      'readConfigurationVersion',
      'listConfigurations',
      'listConfigurationVersions',
      'rehearse',
    ],
  },
  {
    slug: 'lookup-keys',
    title: 'Lookup keys',
    introduction:
      'A lookup key is your own name for a configuration version. Point it at another version when you begin to sell that one.',
    operations: ['pointLookupKey', 'readLookupKey', 'listLookupKeys', 'removeLookupKey'],
  },
  {
    slug: 'loans',
    title: 'Loans',
    introduction:
      'A Loan is an amount lent to a Client under a configuration version. Its plan, terms and disclosure are fixed when it is issued. Its state and every figure are computed from the recorded facts on each read.',
    operations: [
      'previewLoan',
      'issueLoan',
      'readLoan',
      'listLoans',
      'readSchedule',
      'readDelinquency',
      'explainLoan',
      'readLoanStatement',
      'readLoanEvidence',
    ],
  },
  {
    slug: 'acts',
    title: 'Acts on a Loan',
    introduction:
      'An act is a fact about one Loan that is not money received. Each act names who decided it (`actor`), why (`basis`) and your own `reference`. Each answers the whole Loan as it is afterwards.',
    operations: [
      'waiveCharge',
      'suspendLoan',
      'endSuspension',
      'restructureLoan',
      'rollOverLoan',
      'accelerateLoan',
      'settleLoan',
      'writeOffLoan',
      'cedeLoan',
      'retractFact',
    ],
  },
  {
    slug: 'undoing',
    title: 'Holds, returns and undoing',
    introduction:
      'A Loan may begin with a hold, which you confirm or void. These operations also undo a Loan: you cancel or rescind it, the borrower withdraws from it, or goods that it paid for go back.',
    operations: ['confirmLoan', 'voidLoan', 'cancelLoan', 'rescindLoan', 'withdrawLoan', 'returnGoods'],
  },
  {
    slug: 'payoff-quotes',
    title: 'Payoff quotes',
    introduction: 'A payoff quote records the amount that discharges a Loan on a day, as the book is at that moment.',
    operations: ['quotePayoff', 'readPayoffQuote', 'listPayoffQuotes'],
  },
  {
    slug: 'receipts',
    title: 'Receipts',
    introduction:
      'A Receipt is money that arrived from a Client on a day. The service allocates it over the charges of the Loans of the Client, and allocates it again when an earlier fact becomes known.',
    operations: ['reportReceipt', 'reportReceipts', 'readReceipt', 'reverseReceipt', 'readReceiptEvidence'],
  },
  {
    slug: 'books',
    title: 'Books',
    introduction:
      'The book of a Client is everything that is recorded about it. Read it whole, ask why its figures changed, or try facts on it without recording them.',
    operations: ['readClientBook', 'readBookVersion', 'readChanges', 'simulate'],
  },
  {
    slug: 'loan-events',
    title: 'Loan events',
    introduction:
      'The issuances of Loans and the acts on them, in one sequence for the Tenancy without gaps. Read it by page, or receive it as a stream. Receipts and retractions are not in it.',
    operations: ['readFeed', 'streamFeed'],
  },
  {
    slug: 'credit-policies',
    title: 'Credit policies',
    introduction:
      'A credit policy is a set of rules that decides applications. You draft a version, publish it, and adopt it for a product.',
    operations: [
      'validatePolicy',
      'draftPolicyVersion',
      'publishPolicyVersion',
      'adoptPolicy',
      'readAdoptedPolicy',
      'readPolicy',
      'readPolicyVersion',
      'listPolicies',
    ],
  },
  {
    slug: 'credit-decisions',
    title: 'Credit decisions',
    introduction:
      'A Decision is the recorded outcome of an application under a policy version, with the trace of every rule. A refusal may bar the Client from new credit for some days.',
    operations: ['decide', 'readDecision', 'listDecisions', 'resolveDecision', 'readResolution', 'readBar'],
  },
  {
    slug: 'facilities',
    title: 'Facilities',
    introduction:
      'A facility is a credit line that a Decision approved. Loans may be drawn under it up to its limit while it is open.',
    operations: ['openFacility', 'readFacility', 'listFacilities'],
  },
  {
    slug: 'portfolio',
    title: 'Dues and merchants',
    introduction:
      'Figures of many Clients at once: those that owe something on a day, and the Loans that paid one merchant.',
    operations: ['readDues', 'readMerchantBook'],
  },
  {
    slug: 'tenancy',
    title: 'Tenancy',
    introduction: 'The rules and limits of your Tenancy, the company profile, and the log of your own requests.',
    operations: ['readBounds', 'readMarket', 'listRequests', 'putCompanyProfile', 'readCompanyProfile'],
  },
  {
    slug: 'service',
    title: 'Service',
    introduction: 'Health, this documentation and the OpenAPI document. These need no key.',
    operations: ['readLiveness', 'readReadiness', 'readOpenApi', 'readDocs', 'readChangelog'],
  },
];

/** The address of an operation in the reference. */
export function operationUrl(name: RouteName): string {
  const resource = resources.find(({ operations }) => operations.includes(name));
  if (resource === undefined) throw new Error(`operation ${name} is on no page; add it to resources`);
  return `/docs/reference/${resource.slug}#${name}`;
}
