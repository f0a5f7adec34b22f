/** Defines `lending events`. */
import type { Command } from 'commander';
import { describeCommand } from '../command.ts';
import type { FollowCommandOptions } from '../events.ts';
import { addCallerOptions } from './caller-options.ts';

export function addEventCommands(program: Command): void {
  const events = program.command('events').description("follow the events of a Tenancy's Loans");
  const follow = events
    .command('follow')
    .description('print the events of Loans as they are recorded; reconnects by itself')
    .option('--from <cursor>', 'the cursor of the last known event (default: the beginning of the feed)');
  const patience = 'how long the first connection is tried, such as 30s; later ones are without an end (default: once)';
  addCallerOptions(follow, patience).action(async (options: FollowCommandOptions) =>
    (await import('../events.ts')).followEvents(options),
  );
  describeCommand(follow, {
    effect: 'reads',
    examples: ['events follow', 'events follow --json --from CURSOR'],
    details: `
Ctrl-C ends it and prints the cursor from which to continue. With --json: one object per line, with the cursor of each
event.`,
  });
}
