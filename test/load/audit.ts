/**
 * `npm run bench:audit`: the latency of writes beside an audit, and without one as the baseline, in alternating phases of the
 * same run. The audit is killed at the end of each phase and continued in the next one; at last it is continued to its end, at full
 * load.
 * `-- --load 50 --parallel 1` are options of the audit, `--connections` those of the writers. BENCH_FACTS is what is recorded
 * before, BENCH_COMMITS how many commits are measured beside the audit, BENCH_SECONDS the duration of a phase.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { CliProcess, type CliResult } from '#test/support/cli-process.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from './bench-environment.ts';
import { createBenchLender } from './bench-lender.ts';
import { sendAll, waitUntilPublished } from './record-receipts.ts';
import { runWrites, succeeded, type WriteLoad, type WriteResult } from './write-run.ts';

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '16' },
    load: { type: 'string', default: '100' },
    parallel: { type: 'string', default: '2' },
  },
});
const factCount = Number(process.env['BENCH_FACTS'] ?? 200_000);
const commitCount = Number(process.env['BENCH_COMMITS'] ?? 100_000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
/** Long enough for the just-in-time compiler to settle. */
const warmUpSeconds = 30;
const clientCount = 2_000;
const receiptsPerBatch = 100;
const batchConnections = 4;

async function bench(environment: BenchEnvironment): Promise<void> {
  const { stack, port } = environment;
  const lender = await createBenchLender(stack, port, clientCount);
  const batches = Array.from({ length: Math.ceil(factCount / receiptsPerBatch) }, () => lender.batch(receiptsPerBatch));
  await sendAll(port, batches, batchConnections);
  await waitUntilPublished(stack);
  const load: WriteLoad = {
    connectionCount: Number(options.connections),
    receiptsPerRequest: 1,
    request: lender.receiptOfNextClient,
  };
  await runWrites(environment, load, warmUpSeconds);
  const stateFolder = mkdtempSync(join(tmpdir(), 'lending-bench-audit-'));
  try {
    await measure(environment, load, stateFolder);
  } finally {
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

async function measure(environment: BenchEnvironment, load: WriteLoad, stateFolder: string): Promise<void> {
  const audits = new RepeatedAudit(() => startAudit(environment, stateFolder, options));
  const ratios: number[] = [];
  console.log('\n| phase | commits | writes/s | p50 ms | p99 ms | p50 to the baseline |\n| - | - | - | - | - | - |');
  for (let commits = 0; commits < commitCount; ) {
    const baseline = await runWrites(environment, load, seconds);
    printPhase('without audit', baseline, '');
    audits.start();
    const beside = await runWrites(environment, load, seconds);
    await audits.kill();
    commits += beside.commits;
    ratios.push(beside.p50 / baseline.p50);
    printPhase('beside the audit', beside, (beside.p50 / baseline.p50).toFixed(2));
  }
  printComment(`median of the ratios of p50: ${median(ratios).toFixed(2)}`);
  printComment(`${audits.completed} audits were completed, ${audits.killed} were killed and continued; the last one:`);
  const { code, out, err } = await startAudit(environment, stateFolder, { load: '100', parallel: '2' }).result;
  for (const line of `${out}${err}`.trim().split('\n')) printComment(line);
  if (code !== 0) throw new Error(`the audit ended with ${code}; expected 0`);
}

function startAudit(
  { stack }: BenchEnvironment,
  stateFolder: string,
  { load, parallel }: Pick<typeof options, 'load' | 'parallel'>,
): CliProcess {
  const args = ['audit', '--state', stateFolder, '--load', load, '--parallel', parallel];
  return new CliProcess(args, operatorEnvironment(stack));
}

/** An audit that begins again when it has ended, until it is killed. */
class RepeatedAudit {
  readonly #start: () => CliProcess;
  #current: CliProcess | undefined;
  #running: Promise<void> | undefined;
  completed = 0;
  killed = 0;

  constructor(start: () => CliProcess) {
    this.#start = start;
  }

  start(): void {
    this.#current = this.#start();
    this.#running = this.#repeat(this.#current);
    // `kill` reports it.
    this.#running.catch(() => undefined);
  }

  async kill(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.process.kill('SIGKILL');
    await this.#running;
    this.killed += 1;
  }

  async #repeat(first: CliProcess): Promise<void> {
    for (let audit = first; ; audit = this.#current) {
      const result = await audit.result;
      if (this.#current === undefined) return;
      requireClean(result);
      this.completed += 1;
      this.#current = this.#start();
    }
  }
}

/** While writers use the whole machine, movements may be too late for an audit: the next one continues it. */
function requireClean({ code, out, err }: CliResult): void {
  if (!out.includes('nothing found')) throw new Error(`an audit ended with ${code} and findings: ${out}${err}`);
}

function printPhase(name: string, result: WriteResult, ratio: string): void {
  const { commits, perSecond, answered, p50, p99 } = result;
  const rate = (perSecond * succeeded(result)) / answered;
  console.log(`| ${[name, commits, rate.toFixed(0), p50.toFixed(1), p99.toFixed(1), ratio].join(' | ')} |`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// Last, because classes exist only below where they are defined.
await withBenchEnvironment(bench);
