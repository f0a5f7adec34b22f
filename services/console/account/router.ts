/** Pages of the account of a person. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function accountRouter(_context: ConsoleContext): Router {
  return Router();
}
