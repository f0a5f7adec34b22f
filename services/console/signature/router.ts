/** Pages of the check of a signature. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function signatureRouter(_context: ConsoleContext): Router {
  return Router();
}
