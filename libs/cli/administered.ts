/** Commands of a person who administers a cell: recorded as theirs, answered as JSON on standard output. */
import { userInfo } from 'node:os';
import { backing, readConfig } from '#libs/runtime/config.ts';
import { isIdentifier } from '#libs/schema/form.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { type Command, type Typed, UsageError } from './command.ts';

export type Administering = Typed & { readonly actor: string };

type Administered = Omit<Command, 'run' | 'needs'> & {
  readonly act: (administration: Administration, typed: Administering) => Promise<unknown>;
};

// What a driver says while it tries again is not for whoever typed a command; what fails is thrown.
const quiet = { warn: () => undefined, error: () => undefined };

export function administered({ act, ...command }: Administered): Command {
  return {
    ...command,
    needs: 'cell',
    usage: `${command.usage} [--actor NAME]`,
    options: { ...command.options, actor: 'text' },
    async run(typed) {
      const actor = actorOf(typed);
      // The drivers of a cell take a while to load, and a caller's commands need none of them.
      const { openAdministration } = await import('#libs/submission/client.ts');
      const { administration, close } = await openAdministration(readConfig(process.env, backing), quiet);
      try {
        console.log(JSON.stringify(await act(administration, { ...typed, actor }), null, 2));
      } finally {
        await close();
      }
    },
  };
}

/** Who is recorded as having done it: whoever is told, else whoever is logged in. */
function actorOf({ options }: Typed): string {
  const actor = String(options['actor'] ?? userInfo().username);
  if (!isIdentifier(actor)) throw new UsageError('--actor is 1 to 64 letters, digits, - and _');
  return actor;
}

export function settled<Done>(done: Done | Refusal): Done {
  if (isRefusal(done)) throw new Error(`refused: ${done.code} ${JSON.stringify(done.details ?? {})}`);
  return done;
}
