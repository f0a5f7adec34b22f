/** The question before what cannot be undone. */
import { createInterface } from 'node:readline/promises';
import { type Environment, settingText } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { type ConfirmationOptions, InterruptedError, UsageError } from './command.ts';
import { databasePlace } from './database-place.ts';
import { withoutProgress } from './output/progress-line.ts';

/** The person answered no. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Returns after a yes. `consequence` says in full sentences what is about to be done; the question adds in which cell. */
export function confirm(consequence: string, options: ConfirmationOptions): Promise<void> {
  return confirmHere(`${consequence}\n${describeCell(process.env)}`, options);
}

/** As `confirm`, of what is done on this machine alone, or where the question names the place itself. */
export async function confirmHere(question: string, { yes = false }: ConfirmationOptions): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${question}\nThere is no terminal to confirm this on; add --yes`);
  }
  // On standard error, because standard output may be read by a program.
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const asked = withoutProgress(() => prompt.question(`${question}\nType yes to continue: `));
    const answer = await asked.catch((cause: unknown) => {
      console.error();
      throw new InterruptedError('ended by Ctrl-C; nothing was changed', { cause });
    });
    if (answer.trim().toLowerCase() !== 'yes') throw new NotConfirmedError('not confirmed; nothing was changed');
  } finally {
    prompt.close();
  }
}

function describeCell(env: Environment): string {
  const database = databasePlace(settingText(env, backingSettings.databaseUrl) ?? '') || 'of DATABASE_URL';
  return `The cell: database ${database}, Kafka ${env[backingSettings.kafkaBrokers.variable]}.`;
}
