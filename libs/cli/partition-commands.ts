/** `lending partition`. What it does is in partitions.ts. */
import type { CommonOptions, ConfirmationOptions } from './command.ts';
import { confirm } from './confirm.ts';
import { CommandPrinter } from './output/command-printer.ts';
import { readOwnedCell } from './owned-cell.ts';

export type ListPartitionsOptions = CommonOptions;
export type MovePartitionOptions = CommonOptions & ConfirmationOptions & { readonly to: string };

export async function runList(options: ListPartitionsOptions): Promise<void> {
  const { listPartitions } = await import('./partitions.ts');
  const printer = new CommandPrinter(options, 'partitions');
  const list = async () => {
    const placed = await listPartitions(readOwnedCell());
    for (const { partition, database } of placed) printer.print(`partition ${partition} ${database}`);
    return placed;
  };
  await printer.during(list(), (partitions) => ({ partitions }));
}

export async function runMove(partition: number, options: MovePartitionOptions): Promise<void> {
  const { to, dryRun = false } = options;
  const { movePartitionOfCell, planMoveOfCell } = await import('./partitions.ts');
  const cell = readOwnedCell();
  const printer = new CommandPrinter(options, 'facts');
  if (dryRun) {
    await printer.during(planMoveOfCell(cell, partition, to, printer.print), ({ from, facts }) => ({
      from,
      to,
      facts,
    }));
    return;
  }
  await confirm(
    `The facts of partition ${partition} are copied to ${to}, and removed where they are now. Writes to its books wait for up to two
seconds. It can be moved back in the same way.`,
    options,
  );
  const { print, setProgress: onCopied } = printer;
  const moved = movePartitionOfCell(cell, { partition, to, print, onCopied });
  await printer.during(moved, ({ copiedFacts, stoppedMs }) => ({
    copied_facts: copiedFacts,
    stopped_ms: Math.round(stoppedMs),
  }));
}
