/** Runs commands in the process of a test, without profiles. What they print is kept, and the environment is restored. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, jest } from '@jest/globals';
import type { CommandTarget } from '../command.ts';
import { runCommandLine } from '../command-line.ts';

export function inProcessCommands(setEnvironment: () => void) {
  const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const { exitCode } = process;
  const environment = { ...process.env };
  beforeEach(() => {
    process.exitCode = undefined;
    setEnvironment();
    process.env['LENDING_CONFIG'] = join(tmpdir(), 'lending-no-profiles.json');
  });
  afterEach(() => {
    process.exitCode = exitCode;
    process.env = { ...environment };
    out.mockReset();
    err.mockReset();
  });
  const run = async (args: readonly string[], onTarget: (target: CommandTarget) => void = () => undefined) => {
    await runCommandLine(args, async (target) => onTarget(target));
    return { code: process.exitCode, out: out.mock.calls.join('\n'), err: err.mock.calls.join('\n') };
  };
  return { out, err, environment, run };
}
