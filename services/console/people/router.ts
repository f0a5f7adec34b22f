/** Pages of people and roles. */
import { Router } from 'express';
import type { ConsoleContext } from '../console-context.ts';

export function peopleRouter(_context: ConsoleContext): Router {
  return Router();
}
