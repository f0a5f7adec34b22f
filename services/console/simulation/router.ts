/** Pages of simulations. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function simulationRouter(_context: ConsoleContext): Router {
  return Router();
}
