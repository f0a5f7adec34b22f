import type { Say } from '../install.ts';
import type { ServiceName } from '../probes.ts';
import type { Launch } from '../processes.ts';

/** How one backing service is run from packages alone. */
export type Recipe = {
  readonly name: ServiceName;
  /** Everything up to the command to run: installing, formatting, writing its configuration. Safe to repeat. */
  readonly prepare: (dir: string, port: number, say: Say, lasting: boolean) => Promise<Launch>;
  readonly address: (dir: string, port: number) => string;
};
