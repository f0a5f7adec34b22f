/** Creates the services' login: a member of `lending_service` and of no other role, and not the owner of the tables. */
import pg from 'pg';
import { findPrimaryUrl, PostgresServers } from './postgres-servers.ts';

interface LoginRights {
  readonly can_own_tables: boolean;
  readonly is_member: boolean;
}

/** SQLSTATE of a role or catalog row that already exists. */
const duplicateCodes = ['42710', '23505'];

/**
 * Creates the login of `servicesUrl` with its password if it is missing. Throws for a login that is or could become the
 * owner of the tables: a compromised service must not be able to change or drop what is recorded.
 */
export async function createServiceLogin(ownerUrl: string, servicesUrl: string): Promise<void> {
  const { username, password } = loginOf(servicesUrl);
  const login = decodeURIComponent(username);
  const owner = new pg.Client({ connectionString: await findPrimaryUrl(ownerUrl) });
  await owner.connect();
  try {
    await createLogin(owner, login, decodeURIComponent(password));
    const { is_member } = await requireServiceRights(owner, login);
    if (!is_member) await owner.query(`GRANT lending_service TO ${pg.escapeIdentifier(login)}`);
  } finally {
    await owner.end();
  }
}

/** Rejects a login that is or could become the owner of the tables. */
export async function requireServiceRights(owner: pg.Client, login: string): Promise<LoginRights> {
  const rights = await readRights(owner, login);
  if (rights === undefined) throw new Error(`there is no login ${login}`);
  if (rights.can_own_tables) {
    throw new Error(
      `the services' login ${login} owns the tables or may become their owner: set DATABASE_URL to a login of the services' own, and DATABASE_OWNER_URL to the owner`,
    );
  }
  return rights;
}

/** Whether both URLs log in as the same role: then only the role `lending_service` restricts the services. */
export function usesOwnerLogin(ownerUrl: string, servicesUrl: string): boolean {
  return loginOf(ownerUrl).username === loginOf(servicesUrl).username;
}

/** The same for every host of the address. */
export function loginOf(url: string): URL {
  return new URL(new PostgresServers(url).likelyUrl);
}

export const ownerLoginWarning =
  "the services log in as the owner of the tables. They assume the role lending_service, which cannot change or drop what is recorded, but the login itself can: set DATABASE_URL to a login of the services' own, and DATABASE_OWNER_URL to the owner";

async function createLogin(owner: pg.Client, login: string, password: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [login]);
  if (rowCount !== 0) return;
  try {
    await owner.query(
      `CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN PASSWORD ${pg.escapeLiteral(password)} IN ROLE lending_service`,
    );
  } catch (cause) {
    // Another process prepared the same cell at the same time.
    if (!duplicateCodes.includes((cause as { code?: string }).code ?? '')) throw cause;
  }
}

/** A role that may create roles could join the owner's role; a superuser is a member of every role. */
async function readRights(owner: pg.Client, login: string): Promise<LoginRights | undefined> {
  const { rows } = await owner.query<LoginRights>(
    `SELECT rolsuper OR rolcreaterole
         OR pg_has_role(oid, (SELECT relowner FROM pg_class WHERE oid = 'facts'::regclass), 'MEMBER') AS can_own_tables,
       pg_has_role(oid, 'lending_service', 'MEMBER') AS is_member
     FROM pg_roles WHERE rolname = $1`,
    [login],
  );
  return rows[0];
}
