/** The question before what cannot be undone. */
import { createInterface } from 'node:readline/promises';
import { type ConfirmationOptions, InterruptedError, UsageError } from './command.ts';

/** The person answered no. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Returns after a yes. `consequence` says in full sentences what is about to be done. */
export async function confirm(consequence: string, { yes = false }: ConfirmationOptions): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${consequence}\nThere is no terminal to confirm this on; add --yes`);
  }
  // On standard error, because standard output may be read by a program.
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${consequence}\nType yes to continue: `).catch((cause: unknown) => {
      console.error();
      throw new InterruptedError('ended by Ctrl-C; nothing was changed', { cause });
    });
    if (answer.trim().toLowerCase() !== 'yes') throw new NotConfirmedError('not confirmed; nothing was changed');
  } finally {
    prompt.close();
  }
}
