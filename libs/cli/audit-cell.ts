import { backing, readConfig } from '#libs/runtime/config.ts';
import { type Command, type Typed, text, wholeNumber } from './command.ts';

export const auditCommand: Command = {
  usage: 'audit [--most 20] [--without-log]',
  what: 'holds all that is kept to the facts, and the facts to the requests that were signed; fails where anything is found',
  needs: 'cell',
  more: `Reads Postgres as of one moment while the services go on, Redis, and the topic up to that moment. Each finding is a
line: where, what, what is due there and what is. --most says how many are told; all are counted. --without-log leaves the log of
submissions unread, which is long where much is written: issuances are decided anew all the same, credit decisions are not.`,
  options: { most: 'text', 'without-log': 'flag' },
  run,
};

/** The exit says whether anything was found, so that a schedule can raise an alarm. */
async function run({ options }: Typed): Promise<void> {
  const most = wholeNumber('--most', text(options['most']) ?? '20', { least: 1, most: 100_000 });
  const cell = readConfig(process.env, backing);
  const { auditCell } = await import('./audit.ts');
  const withoutLog = options['without-log'] === true;
  if (!(await auditCell(cell, { most, withoutLog }, console.log))) process.exitCode = 1;
}
