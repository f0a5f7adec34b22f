/** Evidence: each fact with the signed request that caused it and its position in the log, for checking elsewhere. */
import { createHash } from 'node:crypto';
import { canonicalString, toBase64url } from '#libs/auth/signing-scheme.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type FactEvidence, readFactEvidence } from '#libs/database/evidence.ts';
import type { ResponseStream, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import { findReceipt } from '#libs/ledger/client/receipts.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { type BookScope, findLoanById, findReceiptBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function evidenceReads(context: ReadContext): RouteHandlers {
  return {
    readLoanEvidence: (request) => readLoanEvidence(context, request),
    readReceiptEvidence: (request) => readReceiptEvidence(context, request),
  };
}

async function readLoanEvidence(context: ReadContext, request: RouteRequest<'readLoanEvidence'>): Promise<RouteResult> {
  const loanId = String(request.params['loan_id']);
  const listed = await listLoanFacts(context, request, loanId);
  if (listed === undefined) return refuse('not_found');
  return answerProvenFacts(context, request, { loan_id: loanId, client_id: listed.clientId }, listed);
}

async function readReceiptEvidence(
  context: ReadContext,
  request: RouteRequest<'readReceiptEvidence'>,
): Promise<RouteResult> {
  const reference = String(request.params['receipt_reference']);
  const listed = await listReceiptFacts(context, request, reference);
  if (listed === undefined) return refuse('no_receipt');
  return answerProvenFacts(context, request, { receipt: reference, client_id: listed.clientId }, listed);
}

/** Facts of a Client's book about one Loan or Receipt, oldest first. */
export interface ListedFacts {
  readonly clientId: string;
  readonly facts: readonly { readonly sequence: number; readonly eventId?: string }[];
}

/** Undefined where there is no such Loan. */
export async function listLoanFacts(
  context: ReadContext,
  scope: BookScope,
  loanId: string,
): Promise<ListedFacts | undefined> {
  const found = await findLoanById(context, scope, loanId);
  if (isRefusal(found)) return undefined;
  const { book, order } = found;
  const { seq, issuance, acts, retractions } = book.folded.loans[order] as LoanRecord;
  const facts = [
    { sequence: seq, eventId: issuance.event },
    ...[...acts, ...retractions.values()].map((entry) => ({ sequence: entry.seq, eventId: entry.fact.event })),
  ];
  return { clientId: book.clientId, facts: facts.sort((one, other) => one.sequence - other.sequence) };
}

/** Undefined where there is no such Receipt. */
export async function listReceiptFacts(
  context: ReadContext,
  scope: BookScope,
  reference: string,
): Promise<ListedFacts | undefined> {
  const book = await findReceiptBook(context, scope, reference);
  const receipt = book === undefined ? undefined : findReceipt(book, reference);
  if (book === undefined || receipt === undefined) return undefined;
  const reversal = book.folded.log.reversal(book.folded.length, reference);
  const sequences = [receipt.seq, ...(reversal === undefined ? [] : [reversal.seq])];
  return { clientId: book.clientId, facts: sequences.map((sequence) => ({ sequence })) };
}

/** In memory at the same time. Each has the body of its submission, of up to a megabyte. */
const maxFactsInMemory = 8;

/** Few facts are one text, as other answers. More are sent while they are read; a failure then ends the connection. */
async function answerProvenFacts(
  context: ReadContext,
  request: RouteRequest<'readLoanEvidence' | 'readReceiptEvidence'>,
  head: object,
  listed: ListedFacts,
): Promise<RouteResult> {
  const { facts } = listed;
  const read = (from: number, timing = new RequestTiming()) => {
    const part = { ...listed, facts: facts.slice(from, from + maxFactsInMemory) };
    return readProvenFacts(context, { tenancy: request.tenancy, timing }, part);
  };
  const first = await read(0, request.timing);
  if (first.length === facts.length) return { status: 200, body: { ...head, facts: first } };
  const begin = `${JSON.stringify(head).slice(0, -1)},"facts":[${itemsOf(first)}`;
  async function* chunks(): AsyncGenerator<string> {
    yield begin;
    for (let from = maxFactsInMemory; from < facts.length; from += maxFactsInMemory)
      yield `,${itemsOf(await read(from))}`;
    yield ']}';
  }
  const stream: ResponseStream = { chunks: chunks(), stopSignal: request.disconnectSignal(), isActive: true };
  return { status: 200, type: 'application/json', stream };
}

function itemsOf(list: readonly unknown[]): string {
  return JSON.stringify(list).slice(1, -1);
}

/** Each listed fact with its evidence. */
export async function readProvenFacts(
  { databases }: ReadContext,
  { tenancy, timing }: BookScope,
  { clientId, facts }: ListedFacts,
) {
  const bookId = clientBookId(clientId);
  const sequences = facts.map(({ sequence }) => sequence);
  const rows = await readFactEvidence(databases, timing, { tenantId: tenancy.id, bookId, sequences });
  if (rows.length !== sequences.length) {
    throw new Error(`book ${tenancy.id}/${bookId}: found evidence for ${rows.length} of ${sequences.length} facts`);
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
