import { book, bookVersion, changes, client, clientPage, obligations, simulation } from '#libs/api/answers/clients.ts';
import { paymentOptions, statement } from '#libs/api/answers/loan-days.ts';
import { receiptPage } from '#libs/api/answers/receipts.ts';
import { asks, type Operation } from '#libs/api/openapi/operation.ts';

const tag = 'Clients';
const oneClient = 'Reads the book of the Client: every fact recorded about the Client.';
const neverRegistered = 'A Client never registered is answered emptily.';

export const clientOperations = {
  listClients: asks({
    tag,
    summary: 'List the registered Clients',
    says: 'Reads the registrations of the Tenancy.',
    answer: clientPage,
  }),
  registerClient: {
    tag,
    summary: 'Register a Client',
    says: 'Records the registration. Registered again with the same body it answers 200. It moves no book version.',
    answer: client,
    statuses: [201, 200],
    refuses: ['client_registered', 'contended'],
  },
  readClient: asks({ tag, summary: "Read a Client's registration", says: oneClient, answer: client }),
  readPaymentOptions: {
    ...asks({
      tag,
      summary: 'Read what a Client can pay on a day',
      says: `${oneClient} Folded up to the day. Carries an \`ETag\` that any fact about the Client changes, and any release of the service; named in \`If-None-Match\` it is answered 304 without a body. ${neverRegistered}`,
      answer: paymentOptions,
    }),
    statuses: [200, 304],
  },
  readStatement: asks({
    tag,
    summary: "Read a Client's statement",
    says: `${oneClient} From \`from\` to \`to\`, both included. ${neverRegistered}`,
    answer: statement,
  }),
  listReceipts: asks({
    tag,
    summary: "List a Client's Receipts",
    says: `${oneClient} ${neverRegistered}`,
    answer: receiptPage,
  }),
  readObligations: asks({
    tag,
    summary: 'Read what is owed back to a Client',
    says: `${oneClient} \`limit\` bounds \`receipts\` alone; everything else is served whole. The service records what is owed and moves no money. ${neverRegistered}`,
    answer: obligations,
    refuses: ['contract_version_required'],
  }),
  readBookVersion: asks({
    tag,
    summary: "Read the version of a Client's book",
    says: 'Reads how many facts are recorded about the Client, and when the last of them was. Both are to be compared. Payoff quotes do not move it.',
    answer: bookVersion,
  }),
  readClientBook: asks({
    tag,
    summary: "Read a Client's whole book on a day",
    says: `${oneClient} One consistent moment of all that the other reads tell apart. ${neverRegistered}`,
    answer: book,
    refuses: ['contract_version_required'],
  }),
  readChanges: asks({
    tag,
    summary: 'Ask why figures changed',
    says: `${oneClient} Compares what it said on the day at two of its versions, and names the facts that moved each figure.`,
    answer: changes,
    refuses: ['contract_version_required'],
  }),
  simulate: asks({
    tag,
    summary: 'Suppose acts and receipts',
    says: `${oneClient} Decides each supposed fact as its own route would, one on the other, and records nothing.`,
    answer: simulation,
    refuses: ['contract_version_required'],
  }),
} as const satisfies { readonly [route: string]: Operation };
