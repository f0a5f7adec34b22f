/** The house a bench has to itself: everything on this machine, new and empty, and gone after it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCustody } from '#deploy/stack/custody.ts';
import { removeStack, type Stack, startStack } from '#deploy/stack/stack.ts';
import { type HouseFacts, startServices } from '#deploy/start/house.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { refuseUsedCell } from '../stack/empty-cell.ts';

export interface House {
  readonly stack: Stack;
  readonly services: HouseFacts;
  /** Of the gateway. */
  readonly port: number;
}

export function say(line: string): void {
  console.log(`# ${line}`);
}

/** Ends the process: what the bench left open would keep it. */
export async function inNewHouse(bench: (house: House) => Promise<void>): Promise<never> {
  const dir = mkdtempSync(join(tmpdir(), 'lending-bench-'));
  // As a cell's own broker runs.
  const stack = await startStack({ dir: join(dir, 'stack'), say, lasting: true });
  const custody = await takeCustody(join(dir, 'services'), say);
  try {
    await refuseUsedCell(stack);
    await prepare(stack);
    const services = await startServices({ dir: join(dir, 'services'), stack, say });
    await bench({ stack, services, port: Number(new URL(services.baseUrl).port) });
  } finally {
    await custody?.end();
    await stack.stop();
    removeStack(stack);
    rmSync(dir, { recursive: true, force: true });
  }
  process.exit(0);
}
