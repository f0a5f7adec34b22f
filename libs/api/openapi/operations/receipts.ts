/** Documentation of the routes about Receipts. */
import { receiptEvidence } from '#libs/api/answers/evidence.ts';
import { batch, receipt } from '#libs/api/answers/receipts.ts';
import { type Operation, readOperation, recordOperation } from '#libs/api/openapi/operation-definition.ts';

const tag = 'Receipts';
const oneClient = "Reads the book of the Receipt's Client: every fact recorded about the Client.";

export const receiptOperations = {
  reportReceipt: recordOperation({
    tag,
    summary: 'Report a Receipt',
    description:
      'Records money that arrived, by its value date, and answers how it was allocated. Money without a designated Loan is allocated over all Loans of the Client in its currency; in a currency in which the Client has no Loan, all of it is surplus.',
    answer: receipt,
    refuses: [
      'payoff_needs_designation',
      'unknown_client',
      'unknown_loan',
      'currency_mismatch',
      'loan_held',
      'cession_in_force',
      'no_quote',
    ],
  }),
  reportReceipts: {
    tag,
    summary: 'Report many Receipts',
    description:
      'Records each Receipt by itself, those of one Client in the order of the batch. `outcomes` has for each what `POST /receipts` would have answered. Sending the batch again is safe for each Receipt.',
    answer: batch,
    statuses: [200],
    refuses: [],
  },
  reverseReceipt: recordOperation({
    tag,
    summary: 'Reverse a Receipt',
    description:
      'Records that the money was returned. Its allocation is undone as if the money had never arrived, so the answer has `loans: []`. A statement with `known_at` before the reversal still shows what the Receipt had paid. A reversal is accepted in every state of a Loan.',
    answer: receipt,
    refuses: ['no_receipt', 'already_reversed'],
  }),
  readReceipt: readOperation({
    tag,
    summary: 'Read a Receipt',
    description: `${oneClient} How the money of the Receipt is allocated, by all recorded facts.`,
    answer: receipt,
    refuses: ['contract_version_required'],
  }),
  readReceiptEvidence: readOperation({
    tag,
    summary: 'Prove the facts of a Receipt',
    description: `${oneClient} Each fact comes with the signed submission that caused it.`,
    answer: receiptEvidence,
    refuses: ['contract_version_required'],
  }),
} as const satisfies { readonly [route: string]: Operation };
