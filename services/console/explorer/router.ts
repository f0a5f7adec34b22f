/** Pages of Clients, Loans and Receipts. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';
import { clientsRouter } from './clients/router.ts';
import { loansRouter } from './loans/router.ts';
import { receiptsRouter } from './receipts/router.ts';

export function explorerRouter(context: ConsoleContext): Router {
  const router = Router();
  router.use(clientsRouter(context));
  router.use(loansRouter(context));
  router.use(receiptsRouter(context));
  return router;
}
