/** Documentation of the routes about the Tenancy itself, its market and merchants. */
import { duesPage } from '#libs/api/answers/loan-figures.ts';
import { bounds, companyProfile, market, merchantBook, requestPage } from '#libs/api/answers/tenancy.ts';
import { type Operation, readOperation } from '#libs/api/openapi/operation-definition.ts';

const tag = 'Tenancy';

export const tenancyOperations = {
  readMerchantBook: readOperation({
    tag,
    summary: "Read a merchant's book on a day",
    description:
      'Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`, and are not included in totals.',
    answer: merchantBook,
  }),
  readDues: readOperation({
    tag,
    summary: 'List the Clients that owe something on a day',
    description:
      'Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice `limit` Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with `book_not_derivable` in its `anomalies`, and is not included in totals.',
    answer: duesPage,
  }),
  readBounds: readOperation({
    tag,
    summary: 'Read the bounds of the Tenancy',
    description: 'Reads the bounds that the answering instance applies. A change takes effect within a second.',
    answer: bounds,
  }),
  listRequests: readOperation({
    tag,
    summary: 'Search the requests of the Tenancy',
    description:
      'Lists the answered requests of the Tenancy whose signature was verified, reads and refused ones too, without their bodies, for thirty days. A request appears within seconds of its answer, a stream after its end. Under overload or a failure of the database requests may be missing. `day` is a day in UTC.',
    answer: requestPage,
  }),
  readMarket: readOperation({
    tag,
    summary: "Read a market's rules",
    description: "Reads the market's law as this release has it. It does not depend on recorded facts.",
    answer: market,
  }),
  putCompanyProfile: {
    tag,
    summary: 'Put the company profile',
    description: 'Records the profile and replaces the previous one.',
    answer: companyProfile,
    statuses: [200],
    refuses: ['contended'],
  },
  readCompanyProfile: readOperation({
    tag,
    summary: 'Read the company profile',
    description: "Reads the Tenancy's own book.",
    answer: companyProfile,
    refuses: ['not_found'],
  }),
} as const satisfies { readonly [route: string]: Operation };
