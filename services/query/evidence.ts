/** Evidence: each fact with the signed request that caused it and its position in the log, for checking elsewhere. */
import { createHash } from 'node:crypto';
import { canonicalString, toBase64url } from '#libs/auth/signing-scheme.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type FactEvidence, readFactEvidence } from '#libs/database/evidence.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import { findReceipt } from '#libs/ledger/client/receipts.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { findLoan, findReceiptBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function evidenceReads(context: ReadContext): RouteHandlers {
  return {
    readLoanEvidence: (request) => readLoanEvidence(context, request),
    readReceiptEvidence: (request) => readReceiptEvidence(context, request),
  };
}

async function readLoanEvidence(context: ReadContext, request: RouteRequest<'readLoanEvidence'>): Promise<RouteResult> {
  const found = await findLoan(context, request);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const { seq, acts, retractions } = book.folded.loans[order] as LoanRecord;
  const sequences = [
    seq,
    ...acts.map((act) => act.seq),
    ...[...retractions.values()].map((retraction) => retraction.seq),
  ];
  const facts = await readFacts(context, request, book.clientId, sequences);
  return { status: 200, body: { loan_id: request.params['loan_id'], client_id: book.clientId, facts } };
}

async function readReceiptEvidence(
  context: ReadContext,
  request: RouteRequest<'readReceiptEvidence'>,
): Promise<RouteResult> {
  const reference = String(request.params['receipt_reference']);
  const book = await findReceiptBook(context, request, reference);
  const receipt = book === undefined ? undefined : findReceipt(book, reference);
  if (book === undefined || receipt === undefined) return refuse('no_receipt');
  const reversal = book.folded.log.reversal(book.folded.length, reference);
  const sequences = [receipt.seq, ...(reversal === undefined ? [] : [reversal.seq])];
  const facts = await readFacts(context, request, book.clientId, sequences);
  return { status: 200, body: { receipt: reference, client_id: book.clientId, facts } };
}

async function readFacts(
  { database }: ReadContext,
  { tenancy, timing }: RouteRequest<'readLoanEvidence' | 'readReceiptEvidence'>,
  clientId: string,
  sequences: readonly number[],
) {
  const facts = { tenantId: tenancy.id, bookId: clientBookId(clientId), sequences };
  const rows = await readFactEvidence(database, timing, facts);
  if (rows.length !== sequences.length) {
    throw new Error(
      `book ${tenancy.id}/${facts.bookId}: found evidence for ${rows.length} of ${sequences.length} facts`,
    );
  }
  return timing.measure('derive', () => rows.map(factAnswer));
}

function factAnswer(evidence: FactEvidence) {
  const { sequence, kind, body, recorded_at, item, partition, offset, event_number } = evidence;
  return {
    sequence,
    kind,
    recorded_at: formatMoment(recorded_at as Moment),
    body: JSON.parse(body) as unknown,
    log: { topic: 'lending.submissions', partition, offset, item },
    event: { topic: 'lending.book-events', partition, sequence: event_number },
    submission: submissionAnswer(evidence),
  };
}

function submissionAnswer(evidence: FactEvidence) {
  const { request_id, method, target, ts, fp, signature, request_body, received_at, public_key } = evidence;
  const bodySha256 = createHash('sha256').update(request_body).digest('hex');
  const idempotencyKey = evidence.idempotency_key ?? undefined;
  return {
    request_id,
    taken_in_at: formatMoment(received_at as Moment),
    canonical: canonicalString({ method, target, ts: String(ts), bodySha256, idempotencyKey }),
    fp,
    public_key: toBase64url(public_key),
    key_created_at: formatMoment(evidence.key_created_at as Moment),
    ...(evidence.key_revoked_at === null ? {} : { key_revoked_at: formatMoment(evidence.key_revoked_at as Moment) }),
    signature: toBase64url(signature),
    /** The bytes as sent. */
    body: request_body.toString('base64'),
  };
}
