/** Pages of Clients, Loans and Receipts. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';
import type { CsvDownloads } from '../csv-download.ts';
import { clientsRouter } from './clients/router.ts';
import { loansRouter } from './loans/router.ts';
import { receiptsRouter } from './receipts/router.ts';

export function explorerRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const router = Router();
  router.use(clientsRouter(context, downloads));
  router.use(loansRouter(context, downloads));
  router.use(receiptsRouter(context));
  return router;
}
