/**
 * `npm run bench:peer`: single Receipts, batches and reads over 10,000 Clients, medians of three rounds. `--against PATH`
 * alternates with the services of another checkout that has this benchmark, and prints the ratios. `--json FILE` also
 * writes the figures. `--only TEXT` runs the phases whose name contains it. `--profile DIR` runs one round and draws where
 * the gateway and the processor spend the time of each phase.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { nodeOptions } from '#deploy/dev/services.ts';
import { printComment, withBenchEnvironment } from './bench-environment.ts';
import { median } from './latencies.ts';
import { type PhaseResult, type RoundResult, runRound } from './peer-round.ts';
import { drawProfiles, profileServices } from './profile-services.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '10000' },
    'warm-up': { type: 'string', default: '5' },
    seconds: { type: 'string', default: '15' },
    against: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    /** Runs one round and writes its figures there. */
    round: { type: 'string' },
  },
});
const options = {
  clients: Number(values.clients),
  warmUpSeconds: Number(values['warm-up']),
  seconds: Number(values.seconds),
  only: values.only,
};

if (values.profile !== undefined) await profile(resolve(values.profile));
else if (values.round === undefined) compare();
else {
  const file = values.round;
  await withBenchEnvironment(async (environment) => {
    writeFileSync(file, JSON.stringify(await runRound(environment, options)));
  });
}

async function profile(dir: string): Promise<void> {
  profileServices(dir);
  let phases: readonly PhaseResult[] = [];
  await withBenchEnvironment(
    async (environment) => {
      ({ phases } = await runRound(environment, options));
    },
    () => drawProfiles(dir, phases),
  );
}

function compare(): void {
  const trees = [projectDir, ...(values.against === undefined ? [] : [resolve(values.against)])];
  const rounds = trees.map((): RoundResult[] => []);
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const [index, tree] of trees.entries()) {
      printComment(`round ${round} of ${tree}`);
      rounds[index]?.push(roundOf(tree));
    }
  }
  const [own, other] = rounds.map(medians);
  if (own !== undefined) printTable(own, other);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ options, trees, rounds }, null, 2));
}

/** In a process of its own, with the code of that tree. */
function roundOf(tree: string): RoundResult {
  const dir = mkdtempSync(join(tmpdir(), 'lending-bench-round-'));
  const file = join(dir, 'round.json');
  const { clients, warmUpSeconds, seconds, only } = options;
  const figures = ['--clients', clients, '--warm-up', warmUpSeconds, '--seconds', seconds].map(String);
  const args = [...figures, '--only', only, '--round', file];
  const { status } = spawnSync(process.execPath, [...nodeOptions, join(tree, 'test', 'load', 'peer.ts'), ...args], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the round of ${tree} exited with ${status}; expected 0`);
  const result = JSON.parse(readFileSync(file, 'utf8')) as RoundResult;
  rmSync(dir, { recursive: true });
  return result;
}

type Row = Omit<PhaseResult, 'cpu' | 'window'> & { readonly cpu: number; readonly cpuParts: string };

function medians(rounds: readonly RoundResult[]): { readonly rows: readonly Row[]; readonly bytes: number } {
  const [first] = rounds;
  if (first === undefined) throw new Error('no round was run; expected --rounds 1 or more');
  const rows = first.phases.map(({ phase }, index): Row => {
    const results = rounds.flatMap(({ phases }) => phases[index] ?? []);
    const of = (figure: (result: PhaseResult) => number): number => median(results.map(figure));
    const names = Object.keys(results[0]?.cpu ?? {});
    const cpuParts = names.map((name) => `${name} ${of(({ cpu }) => cpu[name] ?? 0).toFixed(0)}`).join(', ');
    return {
      phase,
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ p50 }) => p50),
      p99: of(({ p99 }) => p99),
      cpu: of(({ cpu }) => Object.values(cpu).reduce((sum, each) => sum + each, 0)),
      cpuParts,
      other: results.reduce((sum, { other }) => sum + other, 0),
    };
  });
  return { rows, bytes: median(rounds.map(({ bytesPerReceipt }) => bytesPerReceipt)) };
}

type Medians = ReturnType<typeof medians>;

function printTable(own: Medians, other: Medians | undefined): void {
  const ratioColumns = other === undefined ? [] : ['times the other tree', 'p50 ratio', 'processor time ratio'];
  const columns = ['phase', 'per second', 'p50 ms', 'p99 ms', 'µs of the servers', 'of these', 'other than 2xx'];
  const lines = [[...columns, ...ratioColumns], [...columns, ...ratioColumns].map(() => '-')];
  for (const [index, row] of own.rows.entries()) {
    const { phase, perSecond, p50, p99, cpu, cpuParts, other: failures } = row;
    const cells = [phase, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpu.toFixed(0), cpuParts, failures];
    const before = other?.rows[index];
    if (before === undefined) lines.push(cells.map(String));
    else {
      const ratios = [perSecond / before.perSecond, p50 / before.p50, cpu / before.cpu];
      lines.push([...cells.map(String), ...ratios.map((ratio) => ratio.toFixed(2))]);
    }
  }
  console.log(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`);
  const compared = other === undefined ? '' : `, ${(own.bytes / other.bytes).toFixed(2)} of the other tree`;
  console.log(`\nbytes on disk per Receipt: ${own.bytes.toFixed(0)}${compared}`);
}
