/** Records for the audit list of the installation that a command changes a whole cell. A console writes it to the log. */
import type { Database } from '#libs/database/database.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { recordLater } from '#libs/people/unrecorded-acts.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { actorOrLogin } from './actor.ts';

/** `details` are its arguments, or what it is about to do. Call it before the change, where the database has tables. */
export function recordCommand(home: Database, command: string, details: string): Promise<void> {
  const origin = { channel: 'command_line' } as const;
  return recordLater(home, { action: 'cell_command', actor: actorOrLogin(), origin, subject: command, after: details });
}

export async function recordCommandAt(ownerUrl: string, command: string, details: string): Promise<void> {
  const home = openOwnerDatabase({ url: ownerUrl, name: 'audit list', connections: 1 }, servingSchema);
  await recordCommand(home, command, details).finally(() => home.end());
}
