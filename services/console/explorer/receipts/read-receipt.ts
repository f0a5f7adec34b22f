/** Reads a Receipt, and what was known of it at the moment of the clocks. */
import type { Receipt, Statement } from '#libs/sdk/src/contract/shapes.ts';
import { type Clocks, isKnownAt } from '../../clocks.ts';
import { type ClientReads, readBookSize } from '../clients/read-client.ts';

type StatedLoan = Statement['loans'][number];

export interface ReceiptView {
  /** Without its allocation where the Client's book is too large to compute it for a page. */
  readonly receipt: Receipt | Pick<Receipt, 'receipt'>;
  /** False at a moment before it was reported. */
  readonly isRecorded: boolean;
  readonly isReversed: boolean;
  /**
   * What it settled of each Loan as known at the moment. Absent where everything recorded so far is known, and where the book is too
   * large to be read as of a moment.
   */
  readonly settledThen?: readonly Pick<StatedLoan, 'id' | 'reference' | 'lines'>[];
}

/**
 * Four reads at most. A Receipt is read without a day; the statement of its value date says what it settled. Undefined where
 * there is no such Receipt.
 */
export async function readReceiptView(
  { api, parts, tenantId }: ClientReads,
  reference: string,
  { knownAt }: Clocks,
): Promise<ReceiptView | undefined> {
  const read = await parts.receipt(tenantId, reference);
  if (read === undefined) return undefined;
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
