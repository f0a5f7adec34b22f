/** The page of a Receipt. */
import { Router } from 'express';
import { isReference } from '#libs/schema/scalars.ts';
import { apiOf, requireTenancy } from '../../access.ts';
import { type ConsoleContext, visitOf } from '../../console-context.ts';
import { sendPage } from '../../page.ts';
import { receiptPage } from './receipt-page.ts';

export function receiptsRouter(context: ConsoleContext): Router {
  const router = Router();
  router.param('reference', (_request, _response, next, text) => next(isReference(String(text)) ? undefined : 'route'));

  router.get('/tenancies/:tenant/receipts/:reference', requireTenancy(context), async (request, response) => {
    const visit = visitOf(response);
    const receipt = await apiOf(response).readReceipt({ receipt_reference: request.params.reference });
    const title = `${visit.texts.explorer.receipts.receipt} ${receipt.receipt.reference}`;
    sendPage(response, { title, content: receiptPage(visit, receipt), styles: ['explorer.css'] });
  });

  return router;
}
