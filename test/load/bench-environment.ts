/** Runs a benchmark on new, empty backing services and services on this machine, and removes them afterwards. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackingServices } from '#deploy/dev/backing-services.ts';
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import type { RunningServices } from '#deploy/dev/services.ts';
import { startIsolatedStack } from '#test/stack/isolated-stack.ts';

export interface BenchEnvironment {
  readonly stack: BackingServices;
  readonly services: RunningServices;
  /** The port of the gateway. */
  readonly port: number;
}

export function printComment(line: string): void {
  console.log(`# ${line}`);
}

/** Ends the process with its exit code: a connection that the benchmark left open would keep it alive. */
export async function withBenchEnvironment(
  bench: (environment: BenchEnvironment) => Promise<void>,
  afterStop: () => void = () => undefined,
): Promise<never> {
  const root = mkdtempSync(join(tmpdir(), 'lending-bench-'));
  const { backingServices, services, stop } = await startIsolatedStack(root, printComment, {
    partitions: developmentPartitions,
  });
  try {
    await bench({ stack: backingServices, services, port: Number(new URL(services.baseUrl).port) });
  } finally {
    await stop();
  }
  afterStop();
  process.exit();
}
