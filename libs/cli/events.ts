/** `lending events follow`: the feed on standard output, from wherever and for as long as somebody reads it. */
import { once } from 'node:events';
import { callerOf } from './caller.ts';
import { type Command, type Typed, text, UsageError } from './command.ts';
import { type FeedRow, feedFrom } from './feed.ts';

export const followEvents: Command = {
  usage: 'events follow [--from CURSOR] [--json] [--tenant ID]',
  what: 'prints the events of Loans as they are recorded, and goes on by itself where the line breaks',
  needs: 'service',
  more: `  --from   the cursor of the last event that is known already; else from the beginning of the feed
  --json   one object a line, the event as the feed has it and its cursor
Ctrl-C ends it and says from which cursor to go on.`,
  options: { from: 'text', json: 'flag', tenant: 'text' },
  run: followed,
};

async function followed(typed: Typed): Promise<void> {
  if (typed.positionals.length > 0) throw new UsageError('events follow takes no names');
  const caller = callerOf(typed);
  const isJson = typed.options['json'] === true;
  const from = text(typed.options['from']);
  const ending = new AbortController();
  const { signal: ends } = ending;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  // Whoever reads this may stop reading it: `| head` is a way to end it.
  process.stdout.on('error', () => ending.abort());
  const onBreak = (why: unknown): void =>
    console.error(`the line broke (${why instanceof Error ? why.message : why}); trying again`);
  let cursor = from;
  for await (const event of feedFrom({ caller, from, ends, onBreak })) {
    cursor = event.cursor;
    const line = isJson ? JSON.stringify({ cursor, ...event.row }) : lineOf(event.row);
    if (!process.stdout.write(`${line}\n`))
      await once(process.stdout, 'drain', { signal: ends }).catch(() => undefined);
  }
  if (cursor !== undefined) console.error(`To go on: lending events follow --from ${cursor}`);
}

function lineOf({ occurred_on, kind, loan_id, merchant_ref = '', recorded_at }: FeedRow): string {
  return `${occurred_on}  ${kind.padEnd(16)}  ${loan_id}  ${recorded_at}  ${merchant_ref}`.trimEnd();
}
