/** Puts one fault on the cluster under load, waits until it is whole again, and checks everything. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCommand } from '#deploy/cluster/cluster.ts';
import { cellEnvironment } from '#deploy/cluster/cluster-services.ts';
import { nodeOptions } from '#deploy/dev/services.ts';
import type { CellCheck } from './check-cell.ts';
import { type ClusterControl, seconds } from './cluster-control.ts';
import type { Fault } from './fault.ts';
import type { LenderLoad, LoadRequest } from './lender-load.ts';

const run = promisify(execFile);

export type FaultResult = {
  readonly fault: string;
  /** The longest that one write waited for its answer, with all its retries. */
  readonly outageSeconds: number;
  /** The same, counted from when the fault was lifted. */
  readonly recoverySeconds: number;
  /** The longest that one read waited. */
  readonly readOutageSeconds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly gaps: number;
  readonly repeats: number;
  readonly unpublished: number;
  readonly audit: 'clean' | 'findings' | 'not run';
  /** What went wrong, in words. Empty where everything held. */
  readonly problems: string[];
};

export const maxOutageSeconds = 30;
const secondsBefore = 3;
const secondsAfter = 3;
const shownProblems = 5;

/** What a run of a fault needs. */
export type RunOptions = {
  readonly control: ClusterControl;
  readonly load: LenderLoad;
  readonly tenantId: string;
  /** The audit reads everything; a long run leaves it out until its end. */
  readonly withAudit: boolean;
};

export async function runFault(fault: Fault, options: RunOptions): Promise<FaultResult> {
  const { control, load } = options;
  const [firstWrite, firstRead] = [load.writes.length, load.reads.length];
  const unexpectedBefore = load.unexpected.length;
  let liftedAt = 0;
  const problems: string[] = [];
  load.start();
  await seconds(secondsBefore);
  try {
    await fault.run({
      control,
      load,
      lifted: () => {
        liftedAt = performance.now();
      },
    });
    await control.untilWhole();
    await seconds(secondsAfter);
  } catch (cause) {
    problems.push(describeError(cause));
    await control.liftAll();
    await control.untilWhole().catch((failure: unknown) => problems.push(describeError(failure)));
  }
  await load.stop();
  const writes = load.writes.slice(firstWrite);
  const outageSeconds = longestWait(writes);
  const recoverySeconds = longestWait(writes, liftedAt);
  const readOutageSeconds = longestWait(load.reads.slice(firstRead));
  if ((fault.stopsWrites === true ? recoverySeconds : outageSeconds) > maxOutageSeconds) {
    problems.push(`writes waited for more than ${maxOutageSeconds} s`);
  }
  if (readOutageSeconds > maxOutageSeconds) problems.push(`reads waited for more than ${maxOutageSeconds} s`);
  problems.push(...load.unexpected.slice(unexpectedBefore, unexpectedBefore + shownProblems));
  const check = await checkCell(options).catch((cause: unknown) => {
    problems.push(`not checked: ${describeError(cause)}`);
    return notChecked;
  });
  for (const [what, found] of [
    ['lost', check.lost],
    ['doubled', check.doubled],
    ['gap', check.gaps],
  ] as const) {
    problems.push(...found.slice(0, shownProblems).map((each) => `${what}: ${each}`));
  }
  if (check.unpublished > 0) problems.push(`${check.unpublished} facts are not published`);
  const audit = options.withAudit ? await auditCell(options, problems) : 'not run';
  return {
    fault: fault.name,
    outageSeconds,
    recoverySeconds,
    readOutageSeconds,
    acknowledged: writes.filter(({ answeredAt }) => answeredAt !== undefined).length,
    lost: check.lost.length,
    doubled: check.doubled.length,
    gaps: check.gaps.length,
    repeats: check.repeats,
    unpublished: check.unpublished,
    audit,
    problems,
  };
}

/** The run goes on: what is lost now is found by the next check, or by the audit at the end. */
const notChecked: CellCheck = { lost: [], doubled: [], gaps: [], repeats: 0, unpublished: 0 };

/** Of the part of each wait that is after a moment. */
function longestWait(requests: readonly LoadRequest[], from = 0): number {
  const now = performance.now();
  const waits = requests.map(({ sentAt, answeredAt = now }) => answeredAt - Math.max(sentAt, from));
  return waits.reduce((most, each) => Math.max(most, each), 0) / 1_000;
}

/** In a process of its own, which has the certificates and logins of an operator. */
async function checkCell({ control, load, tenantId }: RunOptions): Promise<CellCheck> {
  const { layout } = control.cluster;
  const acknowledged = join(layout.dir, 'acknowledged');
  writeFileSync(acknowledged, load.acknowledged.map(({ reference }) => `${reference}\n`).join(''));
  const script = join(import.meta.dirname, 'check-cell.ts');
  const args = [...nodeOptions, script, join(layout.dir, 'topic-state.json'), acknowledged, tenantId];
  const env = { ...process.env, ...cellEnvironment(layout, 'operator') };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as CellCheck;
}

export async function auditCell({ control }: RunOptions, problems: string[]): Promise<'clean' | 'findings'> {
  try {
    await runCommand(control.cluster.layout, control.cluster.tree, ['audit']);
    return 'clean';
  } catch (cause) {
    problems.push(`audit: ${lastLines(cause)}`);
    return 'findings';
  }
}

/** For the alerts about checks that did not run: as an operator's jobs of the night record them. */
export async function recordChecks({ control }: RunOptions): Promise<void> {
  const { layout, tree } = control.cluster;
  await runCommand(layout, tree, ['audit', '--record']);
  await runCommand(layout, tree, ['topic', 'check', '--record']);
}

/** Builds every table again from the topic and compares; exits with an error where one differs. */
export async function rebuildCell({ control }: RunOptions, problems: string[]): Promise<'clean' | 'differs'> {
  try {
    await runCommand(control.cluster.layout, control.cluster.tree, ['rebuild', '--yes']);
    return 'clean';
  } catch (cause) {
    problems.push(`rebuild: ${lastLines(cause)}`);
    return 'differs';
  }
}

/** Of what a failed command printed. */
function lastLines(cause: unknown): string {
  const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
  const printed = `${stdout}${stderr}`.trim() || describeError(cause);
  return printed.split('\n').slice(-shownProblems).join('; ');
}

export function describeError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined ? cause.message : `${cause.message}: ${describeError(cause.cause)}`;
}
