/** Proof: each fact with the signed submission that caused it and its place in the log, to be checked without us. */
import { createHash } from 'node:crypto';
import { toBase64url } from '#libs/auth/base64url.ts';
import { canonicalString } from '#libs/auth/canonical.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type Proof, proofsOf } from '#libs/database/read-evidence.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { receiptNamed } from '#libs/ledger/client/receipts.ts';
import type { LoanRecord } from '#libs/ledger/fact-record.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { loanInBook, type ReadContext, type RequestTo, receiptBook } from './reads.ts';

export function evidenceReads(reads: ReadContext): RouteHandlers {
  return {
    readLoanEvidence: (asked) => ofLoan(reads, asked),
    readReceiptEvidence: (asked) => ofReceipt(reads, asked),
  };
}

async function ofLoan(reads: ReadContext, asked: RequestTo<'readLoanEvidence'>): Promise<RouteResult> {
  const found = await loanInBook(reads, asked);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const { seq, acts, retractions } = book.folded.loans[order] as LoanRecord;
  const sequences = [seq, ...acts.map((act) => act.seq), ...[...retractions.values()].map((each) => each.seq)];
  const facts = await proven(reads, asked, book.clientId, sequences);
  return { status: 200, body: { loan_id: asked.params['loan_id'], client_id: book.clientId, facts } };
}

async function ofReceipt(reads: ReadContext, asked: RequestTo<'readReceiptEvidence'>): Promise<RouteResult> {
  const reference = String(asked.params['receipt_reference']);
  const book = await receiptBook(reads, asked, reference);
  const recorded = book === undefined ? undefined : receiptNamed(book, reference);
  if (book === undefined || recorded === undefined) return refuse('no_receipt');
  const reversal = book.folded.log.reversal(book.folded.length, reference);
  const sequences = [recorded.seq, ...(reversal === undefined ? [] : [reversal.seq])];
  const facts = await proven(reads, asked, book.clientId, sequences);
  return { status: 200, body: { receipt: reference, client_id: book.clientId, facts } };
}

async function proven(
  { database }: ReadContext,
  { tenancy, timing }: RequestTo<'readLoanEvidence' | 'readReceiptEvidence'>,
  clientId: string,
  sequences: readonly number[],
) {
  const named = { tenantId: tenancy.id, bookId: clientBookId(clientId), sequences };
  const proofs = await proofsOf(database, timing, named);
  // A fact without its submission would be one nobody can check.
  if (proofs.length !== sequences.length) throw new Error(`${named.bookId} holds a fact without its evidence`);
  return timing.measure('derive', () => proofs.map(shown));
}

function shown(proof: Proof) {
  const { sequence, kind, body, recorded_at, request_id, item, partition, offset, event_no } = proof;
  return {
    sequence,
    kind,
    recorded_at: formatMoment(recorded_at as Moment),
    body: JSON.parse(body) as unknown,
    log: { topic: 'lending.submissions', partition, offset, item },
    event: { topic: 'lending.book-events', partition, sequence: event_no },
    submission: submissionOf(proof, request_id),
  };
}

function submissionOf(proof: Proof, requestId: string) {
  const { method, target, ts, fp, signature, idempotency_key, sent, taken_in_at, public_key } = proof;
  const bodySha256 = createHash('sha256').update(sent).digest('hex');
  const idempotencyKey = idempotency_key ?? undefined;
  return {
    request_id: requestId,
    taken_in_at: formatMoment(taken_in_at as Moment),
    canonical: canonicalString({ method, target, ts: String(ts), bodySha256, idempotencyKey }),
    fp,
    public_key: toBase64url(public_key),
    key_created_at: formatMoment(proof.key_created_at as Moment),
    ...(proof.key_revoked_at === null ? {} : { key_revoked_at: formatMoment(proof.key_revoked_at as Moment) }),
    signature: toBase64url(signature),
    /** The bytes as sent. */
    body: sent.toString('base64'),
  };
}
