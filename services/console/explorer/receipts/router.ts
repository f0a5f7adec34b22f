/** The page of a Receipt. */
import { Router } from 'express';
import { isReference } from '#libs/schema/scalars.ts';
import { apiOf, requireTenancy } from '../../access.ts';
import { readClocks } from '../../clocks.ts';
import { type ConsoleContext, visitOf } from '../../console-context.ts';
import { sendErrorPage } from '../../error-page.ts';
import { sendPage } from '../../page.ts';
import { requireReadyBook } from '../../require-ready-book.ts';
import { readReceiptView } from './read-receipt.ts';
import { receiptPage } from './receipt-page.ts';

export function receiptsRouter(context: ConsoleContext): Router {
  const router = Router();
  const guard = requireTenancy(context);
  const readyBook = requireReadyBook(context);
  router.param('reference', (_request, _response, next, text) => next(isReference(String(text)) ? undefined : 'route'));

  router.get('/tenancies/:tenant/receipts/:reference', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const clocks = await readClocks(context, request, response);
    const { tenant: tenantId, reference } = request.params;
    const reads = { api: apiOf(response), parts: context.readApi.parts, tenantId };
    const view = await readReceiptView(reads, reference, clocks);
    if (view === undefined) return sendErrorPage(response, 404, visit.texts.errors.notFound);
    const title = `${visit.texts.explorer.receipts.receipt} ${view.receipt.receipt.reference}`;
    sendPage(response, { title, content: receiptPage(visit, clocks, view), styles: ['explorer.css'] });
  });

  return router;
}
