/** Pages of Clients and Loans. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function explorerRouter(_context: ConsoleContext): Router {
  return Router();
}
