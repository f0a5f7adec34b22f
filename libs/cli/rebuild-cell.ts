import { backing, ownerUrl, readConfig } from '#libs/runtime/config.ts';
import { type Command, type Typed, text } from './command.ts';

export const rebuildCommand: Command = {
  usage: 'rebuild [--accept-differences] [--lost [--secrets-from DATABASE_URL]]',
  what: 'makes the database anew from lending.book-events while it serves, compares, and puts the new one in its place',
  needs: 'cell',
  more: `Logs in as DATABASE_OWNER_URL, or DATABASE_URL. The new tables are made in the same database and follow the topic; commits
are held up for the moment of the swap, and whoever waits goes on in the new tables. What served is kept in a schema that is named
in the end; drop it when nobody wants it any more.

Where the two differ nothing is changed and the differences are told: look at them, and say --accept-differences where what
serves is known to be wrong. The services keep books in memory: start them again after that.

--lost is for an empty database in place of one that is gone: stop the services, rebuild, start them. What the log of
submissions holds behind the topic's end is submitted again. --secrets-from names a database that still has what no fact
says: the key of cursors, outcomes under idempotency keys.`,
  options: { 'accept-differences': 'flag', lost: 'flag', 'secrets-from': 'text' },
  run,
};

async function run({ options }: Typed): Promise<void> {
  const { owner, ...cell } = readConfig(process.env, { ...backing, owner: ownerUrl });
  const secretsUrl = text(options['secrets-from']);
  const { rebuildCell } = await import('./rebuild.ts');
  const isRebuilt = await rebuildCell(
    {
      ...cell,
      ownerUrl: owner ?? cell.databaseUrl,
      isLost: options['lost'] === true,
      acceptsDifferences: options['accept-differences'] === true,
      ...(secretsUrl === undefined ? {} : { secretsUrl }),
    },
    console.log,
  );
  if (!isRebuilt) process.exitCode = 1;
}
