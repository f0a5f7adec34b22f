/** The login of the services: a member of `lending_service`, which reads and adds and owns nothing, and of nothing else. */
import pg from 'pg';

interface Powers {
  readonly may_own: boolean;
  readonly is_member: boolean;
}

/**
 * Made where it is missing, with the password its address carries. One that could become the owner of the tables is
 * refused: a service that is broken into must not be able to change or drop what was recorded.
 */
export async function admitServices(ownerUrl: string, servicesUrl: string): Promise<void> {
  const { username, password } = new URL(servicesUrl);
  const login = decodeURIComponent(username);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await make(owner, login, decodeURIComponent(password));
    const [powers] = await powersOf(owner, login);
    if (powers?.may_own !== false) {
      throw new Error(
        `the services would log in as ${login}, who owns the tables or may become their owner: give them a login of their own in DATABASE_URL, and the owner in DATABASE_OWNER_URL`,
      );
    }
    if (!powers.is_member) await owner.query(`GRANT lending_service TO ${pg.escapeIdentifier(login)}`);
  } finally {
    await owner.end();
  }
}

/** Whether both addresses log in as the same: then what the services may not do hangs on the role they take on alone. */
export function isOneLogin(ownerUrl: string, servicesUrl: string): boolean {
  return new URL(ownerUrl).username === new URL(servicesUrl).username;
}

/** What is told of a cell where that is so. */
export const oneLoginNotice =
  'the services log in as the owner of the tables. They take on the role lending_service as they connect, which may not change or drop anything recorded, but nothing keeps whoever has their address from doing so: give them a login of their own in DATABASE_URL, and the owner in DATABASE_OWNER_URL';

async function make(owner: pg.Client, login: string, password: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [login]);
  if (rowCount !== 0) return;
  try {
    await owner.query(
      `CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN PASSWORD ${pg.escapeLiteral(password)} IN ROLE lending_service`,
    );
  } catch (cause) {
    // Somebody who prepares the same cell at the same time was quicker.
    if (!['42710', '23505'].includes((cause as { code?: string }).code ?? '')) throw cause;
  }
}

/** A role that makes roles could make itself a member of the owner's; a superuser is a member of every role. */
async function powersOf(owner: pg.Client, login: string): Promise<Powers[]> {
  const { rows } = await owner.query<Powers>(
    `SELECT rolsuper OR rolcreaterole OR pg_has_role(oid, (SELECT relowner FROM pg_class WHERE oid = 'facts'::regclass), 'MEMBER') AS may_own,
       pg_has_role(oid, 'lending_service', 'MEMBER') AS is_member
     FROM pg_roles WHERE rolname = $1`,
    [login],
  );
  return rows;
}
