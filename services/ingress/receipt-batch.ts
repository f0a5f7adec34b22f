/** Many receipts in one request: each stands or falls by itself, and those of one Client are taken in their order. */
import { receiptBody } from '#libs/api/bodies/receipts.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import type { RouteResponse } from '#libs/http/handler.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import type { SubmissionResult } from '#libs/submission/pending-verdicts.ts';
import type { SubmissionRequestItem, Submitter } from '#libs/submission/submitter.ts';
import { submissionEnvelope, newUuids } from './submission-envelope.ts';
import type { WriteRequest } from './write-routes.ts';

export async function reportReceipts(submitter: Submitter, asked: WriteRequest): Promise<RouteResponse> {
  const receipts = asked.body?.['receipts'] as readonly Json[];
  const refused = new Map<number, Refusal>();
  const items: SubmissionRequestItem[] = [];
  for (const [at, receipt] of receipts.entries()) {
    const read = parse(receiptBody, receipt);
    if (isRefusal(read)) refused.set(at, read);
    else items.push(itemOf(at, receipt as JsonObject, asked.params));
  }
  const outcomes = items.length === 0 ? refused : await sent(submitter, asked, items);
  const texts = receipts.map((receipt, at) =>
    outcomeText(referenceOf(receipt), refused.get(at) ?? outcomes.get(at) ?? refuse('unavailable'), asked.requestId),
  );
  return { status: 200, text: `{"outcomes":[${texts.join(',')}]}` };
}

function sent(
  submitter: Submitter,
  asked: WriteRequest,
  items: readonly SubmissionRequestItem[],
): Promise<ReadonlyMap<number, SubmissionResult>> {
  const request = { ...submissionEnvelope(asked), operation: 'reportReceipt', params: {}, items };
  return asked.timing.measure('db', () => submitter.submit(request));
}

function itemOf(item: number, receipt: JsonObject, params: WriteRequest['params']): SubmissionRequestItem {
  return {
    item,
    bookId: clientBookId(String(receipt['client_id'])),
    namespace: 'receipts',
    reference: String(receipt['reference']),
    // A receipt of a batch is the receipt that `POST /receipts` takes: sent there again it is a retry.
    digest: requestDigest({ route: 'reportReceipt', params, body: receipt }),
    body: JSON.stringify(receipt),
    ids: newUuids(1),
  };
}

function referenceOf(receipt: Json): string | undefined {
  const reference = isObject(receipt) ? receipt['reference'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function outcomeText(reference: string | undefined, outcome: SubmissionResult, requestId: string): string {
  const named = reference === undefined ? '' : `"reference":${JSON.stringify(reference)},`;
  if (!isRefusal(outcome)) return `{${named}"status":${outcome.status},"receipt":${outcome.body}}`;
  const { request_id: _, ...told } = refusalBody(outcome, requestId);
  return `{${named}"status":${outcome.status},${JSON.stringify(told).slice(1)}`;
}
