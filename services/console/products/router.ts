/** Pages of products and policies. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function productsRouter(_context: ConsoleContext): Router {
  return Router();
}
