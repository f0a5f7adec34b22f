/**
 * `lending audit`, `lending rebuild` and `lending prepare`: maintenance of a whole cell. Their drivers are loaded when
 * they run, because the commands of a caller do not need them.
 */
import type { Command } from 'commander';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting } from '#libs/runtime/connection-settings.ts';
import { wholeNumberParser } from './command.ts';

export function addCellCommands(program: Command): void {
  program
    .command('audit')
    .description('check everything stored against the facts, and the facts against their signed requests')
    .option('--most <number>', 'findings that are printed; all are counted', wholeNumberParser(1, 100_000), 20)
    .option('--without-log', 'do not read the topic of submissions')
    .addHelpText('after', auditHelp)
    .action(runAudit);
  program
    .command('rebuild')
    .description('rebuild the database from lending.book-events while it serves, compare, and replace it')
    .option('--accept-differences', 'replace it although the new tables differ')
    .option('--lost', 'the database is lost: fill an empty one')
    .option('--secrets-from <database-url>', 'copy secrets that no fact holds from this database (with --lost)')
    .addHelpText('after', rebuildHelp)
    .action(runRebuild);
  program
    .command('prepare')
    .description('migrate the database, create the login of the services and the topics, and register the schemas')
    .option('--replicas <number>', 'replicas of each topic; 3 in production', wholeNumberParser(1, 99), 1)
    .addHelpText(
      'after',
      '\nLogs in as DATABASE_OWNER_URL and creates the login of DATABASE_URL. Safe to repeat; does only what is missing.',
    )
    .action(runPrepare);
}

const auditHelp = `
Reads Postgres as of one moment while the services go on, Redis, and the topic up to that moment. Each finding is a line:
where, what, the expected value and the found one. Exit code 1 where anything is found.

--without-log leaves out the topic of submissions, which is long where much is written. Credit decisions are then not
decided again; issuances are.`;

type AuditCommandOptions = { readonly most: number; readonly withoutLog?: boolean };

async function runAudit({ most, withoutLog = false }: AuditCommandOptions): Promise<void> {
  const cell = readConfig(process.env, backingSettings);
  const { auditCell } = await import('./audit.ts');
  const isClean = await auditCell(cell, { maxFindings: most, skipSubmissionTopic: withoutLog }, console.log);
  if (!isClean) process.exitCode = 1;
}

const rebuildHelp = `
Logs in as DATABASE_OWNER_URL, else DATABASE_URL. The new tables are created in the same database and follow the topic.
Commits wait while the tables are exchanged and go on in the new ones. The old tables are kept in a schema that is
printed at the end; drop it when it is no longer needed.

Where the tables differ, nothing is replaced and the differences are printed. Check them, and repeat with
--accept-differences where the serving tables are wrong. Restart the services after that: they cache books.

--lost fills an empty database: stop the services, rebuild, start them. Submissions behind the end of the topic are
submitted again. Secrets that no fact holds are the key of cursors and the outcomes under idempotency keys.`;

type RebuildCommandOptions = {
  readonly acceptDifferences?: boolean;
  readonly lost?: boolean;
  readonly secretsFrom?: string;
};

async function runRebuild({ acceptDifferences, lost, secretsFrom }: RebuildCommandOptions): Promise<void> {
  const { owner, ...cell } = readConfig(process.env, { ...backingSettings, owner: ownerUrlSetting });
  const { rebuildCell } = await import('./rebuild.ts');
  const isReplaced = await rebuildCell(
    {
      ...cell,
      ownerUrl: owner ?? cell.databaseUrl,
      databaseLost: lost === true,
      acceptDifferences: acceptDifferences === true,
      ...(secretsFrom === undefined ? {} : { secretsUrl: secretsFrom }),
    },
    console.log,
  );
  if (!isReplaced) process.exitCode = 1;
}

async function runPrepare({ replicas }: { readonly replicas: number }): Promise<void> {
  const { databaseUrl, owner, ...rest } = readConfig(process.env, { ...backingSettings, owner: ownerUrlSetting });
  const cell = { ...rest, databaseUrl: owner ?? databaseUrl, servicesDatabaseUrl: databaseUrl };
  const { ownerLoginWarning, usesOwnerLogin } = await import('#libs/database/service-login.ts');
  const { prepare } = await import('./prepare.ts');
  const migrations = await prepare(cell, replicas);
  if (usesOwnerLogin(cell.databaseUrl, databaseUrl)) console.error(`Warning: ${ownerLoginWarning}.`);
  console.log(JSON.stringify({ migrations }, null, 2));
}
