/** The arguments of `npm start`, after `--`. */
import { parseArgs } from 'node:util';
import type { DemoChoice } from './demo/seed-demo.ts';

export interface StartArguments {
  readonly backingServicesOnly: boolean;
  readonly demo: DemoChoice;
}

const usage = `usage: npm start -- [--demo | --no-demo]

  --demo     fills the demo Tenancy with example Clients and Loans, also where it holds data already
  --no-demo  leaves a new demo Tenancy empty

Without either, the first start on new data fills it.`;

/** Throws an error with the usage where the arguments are not understood. */
export function parseStartArguments(args: readonly string[]): StartArguments {
  try {
    const options = { demo: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowNegative: true,
      allowPositionals: true,
    });
    const [mode, ...others] = positionals;
    if (others.length > 0 || (mode !== undefined && mode !== 'backing-services')) throw new Error(`unknown: ${mode}`);
    const demo = values.demo === undefined ? 'auto' : values.demo ? 'fill' : 'leave empty';
    return { backingServicesOnly: mode === 'backing-services', demo };
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n${usage}`);
  }
}
