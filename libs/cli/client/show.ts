/** `lending client show`: a Client's whole book on a day. */
import { callerOf } from '../caller.ts';
import { type Command, must, type Typed, text } from '../command.ts';
import { clientTable, nobodyRegistered, type ShownClient } from './table.ts';

export const showClient: Command = {
  usage: 'client show CLIENT --on DAY [--json] [--tenant ID]',
  what: 'shows the Loans of a Client and what each owes on a day, what is owed back, and whether it may apply',
  needs: 'service',
  more: `  --on    the day, YYYY-MM-DD; the service knows no today
  --json  the whole book, as it came`,
  options: { on: 'text', json: 'flag', tenant: 'text' },
  run: show,
};

async function show(typed: Typed): Promise<void> {
  const client = encodeURIComponent(must(typed.positionals[0], 'CLIENT'));
  const on = encodeURIComponent(must(text(typed.options['on']), '--on DAY'));
  const book = await callerOf(typed).ask<ShownClient>('GET', `/clients/${client}/book?on=${on}`);
  const isJson = typed.options['json'] === true;
  // What a program reads stays as it came.
  if (isJson && book.book_version.version === undefined) console.error(nobodyRegistered);
  console.log(isJson ? JSON.stringify(book, null, 2) : clientTable(book));
}
