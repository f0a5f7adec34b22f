/** Reads of Receipts: one by the caller's reference, and those of a Client. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { refuseUnknownMembers } from '#libs/api/closed-members.ts';
import { hasNoNewerMembers } from '#libs/api/contract-versions.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { receiptAnswer, receiptRow, receiptsBefore } from '#libs/ledger/answers/receipt.ts';
import { findReceipt } from '#libs/ledger/client/receipts.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import { statementOf } from '#libs/ledger/stored-facts.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { jsonPage, pageResponse } from './json-page.ts';
import { findReceiptBook, loadClientBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function receiptReads(context: ReadContext): RouteHandlers {
  return {
    readReceipt: (request) => readReceipt(context, request),
    listReceipts: (request) => listReceipts(context, request),
  };
}

async function readReceipt(context: ReadContext, request: RouteRequest<'readReceipt'>): Promise<RouteResult> {
  const reference = String(request.params['receipt_reference']);
  const book = await findReceiptBook(context, request, reference);
  if (book === undefined) return refuse('no_receipt');
  const receipt = findReceipt(book, reference);
  if (receipt === undefined) return refuse('no_receipt');
  const body = await request.timing.measure('derive', () =>
    receiptAnswer(book.folded, receipt, book.clientId, context.calendars),
  );
  return { status: 200, body };
}

/** Newest first, in the order of recording. */
async function listReceipts(context: ReadContext, request: RouteRequest<'listReceipts'>): Promise<RouteResult> {
  const clientId = String(request.params['client_id']);
  const { limit, cursor } = request.query;
  const scope = { tenantId: request.tenancy.id, name: 'receipts', filters: { client_id: clientId } };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const { folded } = await loadClientBook(context, request, clientId);
  const before = Number(start.position?.[0] ?? Number.POSITIVE_INFINITY);
  const requested = requestedVersion(context.contract, request);
  return request.timing.measure('derive', () => {
    const isShown = hasNoNewerMembers(requested)
      ? () => true
      : (recorded: RecordedReceipt) => refuseUnknownMembers(requested, statementOf(recorded)) === undefined;
    const receipts = receiptsBefore(folded, before, limit + 1, isShown);
    const page = jsonPage(receipts, {
      limit,
      textOf: (receipt) => JSON.stringify(receiptRow(folded, receipt, clientId)),
      cursorAfter: ({ seq }) => context.cursors.encode(scope, [seq]),
    });
    return pageResponse('receipts', page);
  });
}
