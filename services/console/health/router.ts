/** Pages of the health of the cell. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function healthRouter(_context: ConsoleContext): Router {
  return Router();
}
