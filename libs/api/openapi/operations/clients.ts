/** Documentation of the routes about Clients and their books. */
import { book, bookVersion, changes, client, clientPage, obligations, simulation } from '#libs/api/answers/clients.ts';
import { paymentOptions, statement } from '#libs/api/answers/loan-figures.ts';
import { receiptPage } from '#libs/api/answers/receipts.ts';
import { type Operation, readOperation } from '#libs/api/openapi/operation-definition.ts';

const tag = 'Clients';
const oneClient = 'Reads the book of the Client: every fact recorded about the Client.';
const ifUnregistered = 'For a Client that is not registered the answer is empty.';

export const clientOperations = {
  listClients: readOperation({
    tag,
    summary: 'List the registered Clients',
    description: 'Reads the registrations of the Tenancy.',
    answer: clientPage,
  }),
  registerClient: {
    tag,
    summary: 'Register a Client',
    description:
      'Records the registration. The same registration again answers 200. A registration does not change the book version.',
    answer: client,
    statuses: [201, 200],
    refuses: ['client_registered', 'contended'],
  },
  readClient: readOperation({ tag, summary: "Read a Client's registration", description: oneClient, answer: client }),
  readPaymentOptions: {
    ...readOperation({
      tag,
      summary: 'Read what a Client can pay on a day',
      description: `${oneClient} The figures on the day. The \`ETag\` changes with every fact about the Client and with every release of the service; if it is sent in \`If-None-Match\` and still current, the answer is 304 without a body. ${ifUnregistered}`,
      answer: paymentOptions,
    }),
    statuses: [200, 304],
  },
  readStatement: readOperation({
    tag,
    summary: "Read a Client's statement",
    description: `${oneClient} From \`from\` to \`to\`, both included. ${ifUnregistered}`,
    answer: statement,
  }),
  listReceipts: readOperation({
    tag,
    summary: "List a Client's Receipts",
    description: `${oneClient} ${ifUnregistered}`,
    answer: receiptPage,
  }),
  readObligations: readOperation({
    tag,
    summary: 'Read what is owed back to a Client',
    description: `${oneClient} \`limit\` applies to \`receipts\` only; all other members are complete. The service records what is owed and moves no money. ${ifUnregistered}`,
    answer: obligations,
    refuses: ['contract_version_required'],
  }),
  readBookVersion: readOperation({
    tag,
    summary: "Read the version of a Client's book",
    description:
      'Reads the number of facts recorded about the Client and the moment of the last one. Compare both. Payoff quotes do not change them. Where nothing but a registration is recorded, and for a Client that is not registered, `facts` is 0 and there is no `version`.',
    answer: bookVersion,
  }),
  readClientBook: readOperation({
    tag,
    summary: "Read a Client's whole book on a day",
    description: `${oneClient} Everything that the other reads answer, as of one moment. ${ifUnregistered}`,
    answer: book,
    refuses: ['contract_version_required'],
  }),
  readChanges: readOperation({
    tag,
    summary: 'Explain why figures changed',
    description: `${oneClient} Compares the figures of a day in two book versions, and names the facts that changed each figure.`,
    answer: changes,
    refuses: ['contract_version_required'],
  }),
  simulate: readOperation({
    tag,
    summary: 'Simulate acts and Receipts',
    description: `${oneClient} Decides each supposed fact as its own route would, one after the other, and records nothing. A Loan issued earlier in the simulation is named by the reference of its issuance: \`loan_reference\` instead of \`loan_id\`, and for a Receipt \`designated_loan_reference\` instead of \`designated_loan_id\`.`,
    answer: simulation,
    refuses: ['contract_version_required'],
  }),
} as const satisfies { readonly [route: string]: Operation };
