/** Pages of where a figure comes from. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function explanationRouter(_context: ConsoleContext): Router {
  return Router();
}
