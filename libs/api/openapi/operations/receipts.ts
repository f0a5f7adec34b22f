import { receiptEvidence } from '#libs/api/answers/evidence.ts';
import { batch, receipt } from '#libs/api/answers/receipts.ts';
import { asks, type Operation, records } from '#libs/api/openapi/operation.ts';

const tag = 'Receipts';
const oneClient = "Reads the book of the Receipt's Client: every fact recorded about the Client.";

export const receiptOperations = {
  reportReceipt: records({
    tag,
    summary: 'Report a Receipt',
    says: 'Records money that arrived, by its value date, and answers where it went. Undesignated money is placed over all Loans of the Client in its currency.',
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
    says: 'Records each by itself, those of one Client in the order of the batch; `outcomes` tells of each what `POST /receipts` would have. A retry of the batch is safe receipt by receipt.',
    answer: batch,
    statuses: [200],
    refuses: [],
  },
  reverseReceipt: records({
    tag,
    summary: 'Reverse a Receipt',
    says: 'Records that the money went back. Its allocation is undone as if it had never come; no state of a Loan refuses it.',
    answer: receipt,
    refuses: ['no_receipt', 'already_reversed'],
  }),
  readReceipt: asks({
    tag,
    summary: 'Read a Receipt',
    says: `${oneClient} Where the money of one Receipt is by all that is recorded.`,
    answer: receipt,
    refuses: ['contract_version_required'],
  }),
  readReceiptEvidence: asks({
    tag,
    summary: 'Prove the facts of a Receipt',
    says: `${oneClient} With each fact the signed submission that caused it.`,
    answer: receiptEvidence,
    refuses: ['contract_version_required'],
  }),
} as const satisfies { readonly [route: string]: Operation };
