/** `POST /receipts/batch`: each receipt is admitted or refused by itself; those of one Client keep their order. */

import type { BodyOf } from '#libs/api/routes.ts';
import type { AuthorizedRequest, RouteResult } from '#libs/http/handler.ts';
import { bodyTooLarge } from '#libs/http/request-body.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { type ReceiptBody, receiptBody } from '#libs/ledger/request-bodies.ts';
import { mapInParts } from '#libs/runtime/run-in-parts.ts';
import { isObject, type Json } from '#libs/schema/json.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import type { SubmissionResult } from '#libs/submission/pending-verdicts.ts';
import { BatchTooLargeError, type SubmissionRequestItem, type Submitter } from '#libs/submission/submitter.ts';
import { newUuids, submissionEnvelope } from './write-routes.ts';

type BatchRequest = AuthorizedRequest<BodyOf<'reportReceipts'>>;

export async function reportReceipts(submitter: Submitter, request: BatchRequest): Promise<RouteResult> {
  const { receipts } = request.body;
  // A receipt takes up to a millisecond, and a batch has hundreds of them.
  const parsed = await mapInParts(receipts, (receipt, at) => {
    const body = parse(receiptBody, receipt);
    return isRefusal(body) ? body : itemOf(at, body, request.params);
  });
  const refused = new Map(parsed.flatMap((item, at): [number, Refusal][] => (isRefusal(item) ? [[at, item]] : [])));
  const items = parsed.filter((item): item is SubmissionRequestItem => !isRefusal(item));
  const results = items.length === 0 ? refused : await submitItems(submitter, request, items);
  if (isRefusal(results)) return results;
  const texts = receipts.map((receipt, at) =>
    outcomeText(referenceOf(receipt), refused.get(at) ?? results.get(at) ?? refuse('unavailable'), request.requestId),
  );
  return { status: 200, text: `{"outcomes":[${texts.join(',')}]}` };
}

async function submitItems(
  submitter: Submitter,
  request: BatchRequest,
  items: readonly SubmissionRequestItem[],
): Promise<ReadonlyMap<number, SubmissionResult> | Refusal> {
  const submission = { ...submissionEnvelope(request), operation: 'reportReceipt', params: {}, items };
  try {
    return await request.timing.measure('submit', () => submitter.submit(submission));
  } catch (cause) {
    if (cause instanceof BatchTooLargeError) return bodyTooLarge(cause.maxBodyBytes);
    throw cause;
  }
}

function itemOf(item: number, receipt: ReceiptBody, params: BatchRequest['params']): SubmissionRequestItem {
  return {
    item,
    bookId: clientBookId(receipt.client_id),
    namespace: 'receipts',
    reference: receipt.reference,
    // The digest of `POST /receipts`, so that a receipt may be retried there.
    digest: requestDigest({ route: 'reportReceipt', params, body: receipt }),
    body: JSON.stringify(receipt),
    ids: newUuids(1),
  };
}

function referenceOf(receipt: Json): string | undefined {
  const reference = isObject(receipt) ? receipt['reference'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function outcomeText(reference: string | undefined, result: SubmissionResult, requestId: string): string {
  const prefix = reference === undefined ? '' : `"reference":${JSON.stringify(reference)},`;
  if (!isRefusal(result)) return `{${prefix}"status":${result.status},"receipt":${result.body}}`;
  const { request_id: _, ...body } = refusalBody(result, requestId);
  return `{${prefix}"status":${result.status},${JSON.stringify(body).slice(1)}`;
}
