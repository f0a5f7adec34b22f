/** Many receipts in one request: each stands or falls by itself, and those of one Client are taken in their order. */
import { receiptBody } from '#libs/api/bodies/receipts.ts';
import { envelope } from '#libs/api/error-envelope.ts';
import type { RouteResponse } from '#libs/http/handler.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { readBody } from '#libs/schema/shape.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import type { SubmissionOutcome } from '#libs/submission/pending-verdicts.ts';
import type { Item, Submitter } from '#libs/submission/submitter.ts';
import { carried, mintMany } from './submission-envelope.ts';
import type { Asked } from './write-routes.ts';

export async function reportReceipts(submitter: Submitter, asked: Asked): Promise<RouteResponse> {
  const receipts = asked.body?.['receipts'] as readonly Json[];
  const refused = new Map<number, Refusal>();
  const items: Item[] = [];
  for (const [at, receipt] of receipts.entries()) {
    const read = readBody(receiptBody, receipt);
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
  asked: Asked,
  items: readonly Item[],
): Promise<ReadonlyMap<number, SubmissionOutcome>> {
  const request = { ...carried(asked), operation: 'reportReceipt', params: {}, items };
  return asked.timing.measure('db', () => submitter.submit(request));
}

function itemOf(item: number, receipt: JsonObject, params: Asked['params']): Item {
  return {
    item,
    bookId: clientBookId(String(receipt['client_id'])),
    namespace: 'receipts',
    reference: String(receipt['reference']),
    // A receipt of a batch is the receipt that `POST /receipts` takes: sent there again it is a retry.
    digest: requestDigest({ route: 'reportReceipt', params, body: receipt }),
    body: JSON.stringify(receipt),
    ids: mintMany(1),
  };
}

function referenceOf(receipt: Json): string | undefined {
  const reference = isObject(receipt) ? receipt['reference'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function outcomeText(reference: string | undefined, outcome: SubmissionOutcome, requestId: string): string {
  const named = reference === undefined ? '' : `"reference":${JSON.stringify(reference)},`;
  if (!isRefusal(outcome)) return `{${named}"status":${outcome.status},"receipt":${outcome.body}}`;
  const { request_id: _, ...told } = envelope(outcome, requestId);
  return `{${named}"status":${outcome.status},${JSON.stringify(told).slice(1)}`;
}
