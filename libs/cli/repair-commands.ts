/** `lending topic` and `lending reconcile`. What they do is in repair.ts. */
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import type { ReconcileResult } from '#libs/verify/repair/reconcile.ts';
import type { CommonOptions, ConfirmationOptions } from './command.ts';
import { confirm } from './confirm.ts';
import { CommandPrinter } from './output/command-printer.ts';
import { withProgress } from './output/progress-line.ts';
import { readOwnedCell } from './owned-cell.ts';
import type { checkTopicOfCell } from './repair.ts';

type CheckedTopic = Awaited<ReturnType<typeof checkTopicOfCell>>;

export type CheckOptions = CommonOptions & { readonly record?: boolean };
export type ReconcileCommandOptions = CommonOptions & ConfirmationOptions;
export type RemakeCommandOptions = CommonOptions & ConfirmationOptions & { readonly replicas?: number };
export type RepairOptions = CommonOptions & ConfirmationOptions & { readonly partition: readonly number[] };

export async function runCheck(options: CheckOptions): Promise<void> {
  const { checkTopicOfCell } = await import('./repair.ts');
  const printer = new CommandPrinter(options, 'events');
  const checked = await printer.during(
    checkTopicOfCell(readOwnedCell(), printer.print, printer.setProgress),
    describeCheck,
  );
  if (!checked.isWhole) process.exitCode = 1;
  if (options.record === true) {
    const { recordCheck } = await import('./record-check.ts');
    await recordCheck('topic', checked.damagedCount);
  }
}

function describeCheck({ isWhole, partitions }: Pick<CheckedTopic, 'isWhole' | 'partitions'>): object {
  return {
    whole: isWhole,
    partitions: partitions.map(({ partition, last, committed, firstMissing, differentEvent }) => ({
      partition,
      events: last,
      committed,
      first_missing: firstMissing ?? null,
      different_event: differentEvent ?? null,
    })),
  };
}

export async function runRepair(options: RepairOptions): Promise<void> {
  const { partition, dryRun = false } = options;
  const { damagedPartitionsOfCell, repairTopicOfCell } = await import('./repair.ts');
  const cell = readOwnedCell();
  const partitions =
    partition.length > 0
      ? partition
      : await withProgress('events', (progress) =>
          damagedPartitionsOfCell(cell, (read, total) => progress.set(read, total)),
        );
  const names = partitions.join(', ');
  if (partitions.length > 0 && !dryRun) await confirm(repairConsequence(names), options);
  const printer = new CommandPrinter(options, 'events');
  const repair = async (): Promise<void> => {
    if (partitions.length === 0) printer.print('no event is missing');
    else if (dryRun) printer.print(`partitions ${names} would be written again`);
    else await repairTopicOfCell(cell, partitions, printer.print, printer.setProgress);
  };
  await printer.during(repair(), () => ({ partitions, written_again: partitions.length > 0 && !dryRun }));
}

function repairConsequence(partitions: string): string {
  return `All records of lending.book-events in the partitions ${partitions} are removed and written again from the database.
Followers read these partitions from their beginning.`;
}

export async function runRemake(options: RemakeCommandOptions): Promise<void> {
  const cell = readOwnedCell();
  const { planRemakeOfCell, remakeTopicsOfCell } = await import('./repair.ts');
  if (options.dryRun === true) {
    const printer = new CommandPrinter(options, 'records');
    await printer.during(planRemakeOfCell(cell, printer.print), ({ missingTopics, restarted }) => ({
      missing_topics: missingTopics,
      restarted,
    }));
    return;
  }
  await confirm(
    `The topics that ${cell.kafkaBrokers} lacks are created. Where lending.submissions ends before what was processed, it
continues at its present end. Submissions that were in Kafka alone are lost.
The processors, the gateways, ingress and the console must be stopped: with the ids of a lost schema registry they would write
records that cannot be decoded. Only running processors are noticed.`,
    options,
  );
  const printer = new CommandPrinter(options, 'records');
  const remade = remakeTopicsOfCell(cell, options.replicas, printer.print, printer.setProgress);
  await printer.during(remade, ({ restarted, parkedRecords }) => ({ restarted, parked_records: parkedRecords }));
}

export async function runReconcile(options: ReconcileCommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const cell = readOwnedCell();
  if (!dryRun) {
    await confirm(
      `The facts that lending.book-events holds and the database lacks are written to it, and the submissions behind the
last event are submitted again. All people who use the console are signed out.`,
      options,
    );
  }
  const { checkTopicOfCell, reconcileCell } = await import('./repair.ts');
  const printer = new CommandPrinter(options, 'facts');
  if (dryRun) await printer.during(checkTopicOfCell(cell, printer.print, printer.setProgress), describeCheck);
  else await printer.during(reconcileCell(cell, printer.print, printer.setProgress), describeReconcile);
}

function describeReconcile(result: ReconcileResult): object {
  return {
    imported_facts: result.importedFacts,
    resubmitted: result.resubmitted,
    unpublished_facts: result.unpublishedFacts,
    partitions_with_gap: result.partitionsWithGap,
    parked_books: result.parkedBooks,
    ended_sessions: result.endedSessions,
    person_acts: result.laterPersonActs.map(({ recordedAt, tenantId, ...act }) => ({
      recorded_at: formatMoment(recordedAt as Moment),
      tenant_id: tenantId,
      ...act,
    })),
  };
}
