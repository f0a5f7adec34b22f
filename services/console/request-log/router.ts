/** Pages of the request log. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function requestLogRouter(_context: ConsoleContext): Router {
  return Router();
}
