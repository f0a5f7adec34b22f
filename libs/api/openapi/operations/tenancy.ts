import { duesPage } from '#libs/api/answers/loan-days.ts';
import { alive, bounds, companyProfile, market, merchantBook, readiness } from '#libs/api/answers/tenancy.ts';
import { asks, type Operation } from '#libs/api/openapi/operation.ts';

const tag = 'Tenancy';

export const tenancyOperations = {
  readMerchantBook: asks({
    tag,
    summary: "Read a merchant's book on a day",
    says: 'Reads the books of the Clients whose Loans name the merchant, all as they were in one moment. A Client whose book cannot be derived from what is recorded keeps nobody back: its Loans are told by what is recorded of them alone, with `book_not_derivable` in their `anomalies`, and count in no total.',
    answer: merchantBook,
  }),
  readDues: asks({
    tag,
    summary: 'Read who owes something on a day',
    says: 'Reads the books of the Clients that can have something due on the day, found through an index that is written with every fact. At most twice `limit` Clients are examined. One whose book cannot be derived from what is recorded keeps nobody back: it is listed without figures, whatever narrows the page, with `book_not_derivable` in its `anomalies`, and counts in no total.',
    answer: duesPage,
  }),
  readBounds: asks({
    tag,
    summary: 'Read the bounds of the Tenancy',
    says: 'Reads what the instance that answers holds the Tenancy to. A change is in force within a second.',
    answer: bounds,
  }),
  readMarket: asks({
    tag,
    summary: "Read a market's rules",
    says: 'Reads the law as this release has it. No fact moves it.',
    answer: market,
  }),
  putCompanyProfile: {
    tag,
    summary: 'Put the company profile',
    says: 'Records the profile, whole.',
    answer: companyProfile,
    statuses: [200],
    refuses: ['contended'],
  },
  readCompanyProfile: asks({
    tag,
    summary: 'Read the company profile',
    says: "Reads the Tenancy's own book.",
    answer: companyProfile,
    refuses: ['not_found'],
  }),
} as const satisfies { readonly [route: string]: Operation };

const service = 'Service';

export const serviceOperations = {
  readLiveness: asks({ tag: service, summary: 'Whether the process is alive', says: '', answer: alive }),
  readReadiness: {
    ...asks({
      tag: service,
      summary: 'Whether the process is of use',
      says: '503 names what is missing.',
      answer: readiness,
    }),
    statuses: [200, 503],
  },
  readOpenApi: {
    ...asks({ tag: service, summary: 'This document', says: '', answer: { jsonSchema: { type: 'object' } } }),
  },
  readDocs: {
    tag: service,
    summary: 'This document, for people',
    says: '',
    media: 'text/html',
    statuses: [200],
    refuses: [],
  },
  readChangelog: {
    tag: service,
    summary: 'What changed in the contract, and what is on its way out',
    says: '',
    media: 'text/html',
    statuses: [200],
    refuses: [],
  },
} as const satisfies { readonly [route: string]: Operation };
