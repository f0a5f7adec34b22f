/** The operator of a development start, who signs in to the console by a link that each start prints. */
import { openDatabase } from '#libs/database/pool.ts';
import { invite } from '#libs/people/invitations.ts';

/** Returns the path of the link. */
export async function createSignInLink(servicesDatabaseUrl: string): Promise<string> {
  const database = openDatabase({ url: servicesDatabaseUrl, name: 'dev-start', connections: 1 });
  try {
    return await invite(database, {
      email: 'operator@localhost',
      as: 'operator',
      actor: 'npm-start',
      origin: { channel: 'command_line' },
    });
  } finally {
    await database.end();
  }
}
