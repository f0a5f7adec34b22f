/** Reads a Receipt, and what was known of it at the moment of the clocks. */
import type { Receipt, Statement } from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type Clocks, isKnownAt } from '../../clocks.ts';
import { readBookSize } from '../clients/read-client.ts';

type StatedLoan = Statement['loans'][number];

export interface ReceiptView {
  readonly receipt: Receipt;
  /** False at a moment before it was reported. */
  readonly isRecorded: boolean;
  readonly isReversed: boolean;
  /**
   * What it settled of each Loan as known at the moment. Absent where everything recorded so far is known, and where the book is too
   * large to be read as of a moment.
   */
  readonly settledThen?: readonly Pick<StatedLoan, 'id' | 'reference' | 'lines'>[];
}

/** Four reads at most. A Receipt is read without a day; the statement of its value date says what it settled. */
export async function readReceiptView(api: Lending, reference: string, { knownAt }: Clocks): Promise<ReceiptView> {
  const read = await api.readReceipt({ receipt_reference: reference });
  const { client_id, value_date, reported_at, reversed_at } = read.receipt;
  const isReversed = reversed_at !== undefined && isKnownAt(reversed_at, knownAt);
  const view = { receipt: read, isRecorded: isKnownAt(reported_at, knownAt), isReversed };
  if (knownAt === undefined || !view.isRecorded) return view;
  const { isBounded } = await readBookSize(api, client_id);
  if (!isBounded) return view;
  const { loans } = await api.readStatement({ client_id, from: value_date, to: value_date, known_at: knownAt });
  const settledThen = loans.map(({ id, reference: name, lines }) => ({
    id,
    reference: name,
    lines: lines.filter(({ fact, kind }) => kind === 'received' && fact?.type === 'receipt' && fact.id === reference),
  }));
  return { ...view, settledThen: settledThen.filter(({ lines }) => lines.length > 0) };
}
