/** `lending audit`, `lending rebuild` and `lending prepare`: maintenance of a whole cell. */
import { getPriority, setPriority } from 'node:os';
import type { RequestedPlacement } from '#libs/database/place-partitions.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import type { auditCell } from './audit.ts';
import { type CommonOptions, type ConfirmationOptions, UsageError } from './command.ts';
import { confirm } from './confirm.ts';
import { databasePlace } from './database-place.ts';
import { readDatabaseUrl } from './database-url-option.ts';
import { CommandPrinter } from './output/command-printer.ts';
import { printResult } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';
import { type OwnedCell, readOwnedCell } from './owned-cell.ts';
import type { rebuildCell } from './rebuild.ts';

type Audited = Awaited<ReturnType<typeof auditCell>>;
type Rebuilt = Awaited<ReturnType<typeof rebuildCell>>;

export type AuditCommandOptions = CommonOptions & {
  readonly most: number;
  readonly withoutLog?: boolean;
  readonly state?: string;
  readonly partitions?: readonly number[];
  readonly parallel: number;
  readonly load: number;
  readonly record?: boolean;
};

/** Of the operating system: services on the same machine come first. */
const auditNiceness = 10;

export async function runAudit(options: AuditCommandOptions): Promise<void> {
  const { most, withoutLog = false, state, partitions, parallel, load } = options;
  if (partitions !== undefined && state === undefined) {
    throw new UsageError('--partitions needs --state: the last audit, of the rest, continues from there');
  }
  lowerPriority();
  const cell = readConfig(process.env, backingSettings);
  const { auditCell } = await import('./audit.ts');
  const printer = new CommandPrinter(options, 'facts');
  const auditOptions = {
    maxFindings: most,
    skipSubmissionTopic: withoutLog,
    parallel,
    load,
    ...(state === undefined ? {} : { stateFolder: state }),
    ...(partitions === undefined ? {} : { partitions }),
    onProgress: printer.setProgress,
  };
  const audited = await printer.during(auditCell(cell, auditOptions, printer.print), describeAudit);
  if (!audited.isClean) process.exitCode = 1;
  if (options.record === true && hasResult(audited)) {
    const { recordCheck } = await import('./record-check.ts');
    await recordCheck('audit', audited.findingCount);
  }
}

/** An audit that did not read a topic to its end has not finished, but what it found must raise an alert. */
export function hasResult({
  unreadPartitions,
  findingCount,
}: Pick<Audited, 'unreadPartitions' | 'findingCount'>): boolean {
  return unreadPartitions.length === 0 || findingCount > 0;
}

function lowerPriority(): void {
  try {
    setPriority(Math.max(getPriority(), auditNiceness));
  } catch {
    // Where the system refuses, the audit competes with the services.
  }
}

function describeAudit(audited: Audited): object {
  const { isClean, findingCount, unreadPartitions, repeatedRecords, longestSnapshotSeconds, ...result } = audited;
  return {
    clean: isClean,
    ...result,
    repeated_records: repeatedRecords,
    finding_count: findingCount,
    unread_partitions: unreadPartitions,
    longest_snapshot_seconds: longestSnapshotSeconds,
  };
}

export type RebuildCommandOptions = CommonOptions &
  ConfirmationOptions & {
    readonly acceptDifferences?: boolean;
    readonly lost?: boolean;
    readonly movements?: boolean;
    readonly secretsFrom?: string;
    readonly database?: string;
  };

export async function runRebuild(options: RebuildCommandOptions): Promise<void> {
  const { acceptDifferences = false, lost = false, secretsFrom, dryRun = false, database } = options;
  if (secretsFrom !== undefined && !lost) {
    throw new UsageError('--secrets-from needs --lost: a database that serves has its secrets');
  }
  if (database !== undefined && !lost) throw new UsageError('--database needs --lost: a rebuild is of all databases');
  const cell = readOwnedCell();
  const secretsUrl = secretsFrom === undefined ? undefined : await readDatabaseUrl('--secrets-from', secretsFrom);
  if (options.movements === true) {
    await runRebuildOfMovements(cell, options);
    return;
  }
  if (!dryRun) await confirm(rebuildConsequence(cell, { lost, acceptDifferences }), options);
  const { planRestoreOfCell, rebuildCell, rebuildLostDatabase } = await import('./rebuild.ts');
  const printer = new CommandPrinter(options, 'facts');
  if (lost && dryRun) {
    await printer.during(planRestoreOfCell(cell, printer.print), (plan) => plan);
    return;
  }
  const wanted = {
    ...cell,
    databaseLost: lost,
    acceptDifferences,
    compareOnly: dryRun,
    onFacts: printer.setProgress,
    ...(secretsUrl === undefined ? {} : { secretsUrl }),
  };
  const rebuilt =
    database === undefined ? rebuildCell(wanted, printer.print) : rebuildLostDatabase(wanted, database, printer.print);
  const { isReplaced, differences } = await printer.during(rebuilt, describeRebuild);
  if (dryRun ? differences.length > 0 : !isReplaced) process.exitCode = 1;
}

async function runRebuildOfMovements(cell: OwnedCell, options: RebuildCommandOptions): Promise<void> {
  const { planRebuildOfMovementsOfCell, rebuildMovementsOfCell } = await import('./rebuild.ts');
  if (options.dryRun === true) {
    const printer = new CommandPrinter(options, 'movements');
    await printer.during(planRebuildOfMovementsOfCell(cell, printer.print), (plan) => plan);
    return;
  }
  await confirm(
    'All records of lending.movements are removed, and the running processors write them again. Consumers that have read ' +
      'them must begin again. --dry-run only counts.',
    options,
  );
  const printer = new CommandPrinter(options, 'movements');
  await printer.during(
    rebuildMovementsOfCell({ ...cell, onMovements: printer.setProgress }, printer.print),
    (result) => result,
  );
}

function describeRebuild({ isReplaced, eventCount, previousSchema, ...result }: Rebuilt): object {
  return { replaced: isReplaced, facts: eventCount, previous_schema: previousSchema ?? null, ...result };
}

function rebuildConsequence(
  { databaseUrl, partitionDatabases }: OwnedCell,
  { lost, acceptDifferences }: { readonly lost: boolean; readonly acceptDifferences: boolean },
): string {
  const urls = [databaseUrl, ...[...partitionDatabases.values()].map(({ ownerUrl }) => ownerUrl)];
  const place = urls.map((url) => databasePlace(url) || 'of DATABASE_OWNER_URL').join(' and ');
  if (lost) {
    return `The empty database ${place} is filled from lending.book-events. The services must be stopped. --dry-run only looks.`;
  }
  const condition = acceptDifferences ? 'also where they differ' : 'if they are equal';
  return `The tables of ${place} are built again, and replace those that serve now, ${condition}. --dry-run only compares.`;
}

export type PrepareCommandOptions = CommonOptions &
  ConfirmationOptions & {
    readonly replicas?: number;
    readonly partitions?: number;
    readonly place?: RequestedPlacement;
    readonly addDatabase?: readonly string[];
  };

export async function runPrepare(options: PrepareCommandOptions): Promise<void> {
  const { replicas, partitions, place, addDatabase: addedDatabases = [], dryRun = false, yes = false } = options;
  const cell = readOwnedCell();
  const placement = place === undefined ? {} : { placement: place };
  if (dryRun || !yes) {
    const { planPreparation } = await import('./plan-preparation.ts');
    const plan = await withProgress('databases', () => planPreparation(cell, { partitions, ...placement }));
    if (dryRun) {
      const { missingTopics, ...rest } = plan;
      printResult({ ...rest, missing_topics: missingTopics }, options);
      return;
    }
    if (plan.irreversible.length > 0) await confirm(plan.irreversible.join('\n'), options);
  }
  const { ownerLoginWarning, usesOwnerLogin } = await import('#libs/database/service-login.ts');
  const { prepare } = await import('./prepare.ts');
  const prepared = await withProgress('migrations', (progress) => {
    const reportWait = (line: string): void => {
      progress.clear();
      console.error(line);
    };
    return prepare(cell, { replicas, partitions, ...placement, addedDatabases, reportWait });
  });
  if (usesOwnerLogin(cell.databaseUrl, cell.servicesDatabaseUrl)) console.error(`Warning: ${ownerLoginWarning}.`);
  printResult(prepared, options);
}
