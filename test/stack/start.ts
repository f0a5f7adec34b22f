/** The house journeys run against: a stack of its own, new and empty, and the services on it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeCustody } from '#deploy/stack/custody.ts';
import { projectDir, type Say } from '#deploy/stack/install.ts';
import { removeStack, startStack } from '#deploy/stack/stack.ts';
import { startServices } from '#deploy/start/house.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { refuseUsedCell } from './empty-cell.ts';

export type TestHouse = {
  /** What a journey needs to find its house (house.ts beside this file). */
  readonly file: string;
  keepLogs(): void;
  stop(): Promise<void>;
};

export async function startTestHouse(say: Say): Promise<TestHouse> {
  const root = join(projectDir, '.data', 'test', String(process.pid));
  const dir = join(root, 'services');
  const stack = await startStack({ dir: join(root, 'stack'), say, containers: 'testcontainers' });
  const custody = await takeCustody(dir, say);
  if (custody === undefined) throw new Error(`${dir} is another process's`);
  let areLogsKept = false;
  const stop = async (): Promise<void> => {
    await custody.end();
    await stack.stop();
    if (areLogsKept) say(`logs are kept in ${join(root, '*', 'logs')}`);
    else {
      removeStack(stack);
      rmSync(root, { recursive: true, force: true });
    }
  };
  try {
    await refuseUsedCell(stack);
    await prepare(stack);
    const services = await startServices({ dir, stack, say });
    const file = join(root, 'house.json');
    writeFileSync(file, JSON.stringify({ stackDir: stack.dir, services }), { mode: 0o600 });
    return {
      file,
      keepLogs() {
        areLogsKept = true;
      },
      stop,
    };
  } catch (cause) {
    areLogsKept = true;
    await stop();
    throw cause;
  }
}
