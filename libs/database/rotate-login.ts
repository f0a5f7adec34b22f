/** Replaces logins of the database: the services get another login next to the former one, the owner another password. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPrimaryUrl } from './postgres-servers.ts';
import { loginOf, requireServiceRights } from './service-login.ts';

export interface RotatedLogin {
  readonly login: string;
  /** With the new login or password. */
  readonly url: string;
}

/**
 * Creates the next login of the services, `NAME_2` after `NAME`. The former one keeps working until it is dropped, so
 * that the services can change one after the other.
 */
export function createNextLogin(ownerUrl: string, servicesUrl: string): Promise<RotatedLogin> {
  return asOwner(ownerUrl, async (owner) => {
    const { former, login } = await chooseNextLogin(owner, servicesUrl);
    const password = newPassword();
    await owner.query(
      `CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN PASSWORD ${pg.escapeLiteral(scramVerifier(password))} IN ROLE lending_service`,
    );
    // A processor may end a session that holds a publishing lock only as a member of the login that opened it.
    await owner.query(`GRANT ${pg.escapeIdentifier(former)} TO ${pg.escapeIdentifier(login)}`);
    return { login, url: withLogin(servicesUrl, login, password) };
  });
}

/** The name that `createNextLogin` would give it. */
export function findNextLogin(ownerUrl: string, servicesUrl: string): Promise<string> {
  return asOwner(ownerUrl, async (owner) => (await chooseNextLogin(owner, servicesUrl)).login);
}

async function chooseNextLogin(
  owner: pg.Client,
  servicesUrl: string,
): Promise<{ readonly former: string; readonly login: string }> {
  const former = decodeURIComponent(loginOf(servicesUrl).username);
  // Otherwise the new login would become a member of the owner of the tables.
  await requireServiceRights(owner, former);
  return { former, login: await nextFreeName(owner, former) };
}

export function loginOfOwner(ownerUrl: string): string {
  return decodeURIComponent(loginOf(ownerUrl).username);
}

/** Gives the owner of the tables a new password. Only commands log in as the owner, so there is nothing to wait for. */
export function changeOwnerPassword(ownerUrl: string): Promise<RotatedLogin> {
  return asOwner(ownerUrl, async (owner) => {
    const login = loginOfOwner(ownerUrl);
    const password = newPassword();
    await owner.query(`ALTER ROLE ${pg.escapeIdentifier(login)} PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`);
    return { login, url: withLogin(ownerUrl, login, password) };
  });
}

export interface LoginSessions {
  readonly application: string;
  readonly sessions: number;
}

/** The sessions that hinder or follow `dropLogin`. Rejects a login that is not one of the services. */
export function findLoginSessions(ownerUrl: string, login: string): Promise<readonly LoginSessions[]> {
  return asOwner(ownerUrl, async (owner) => {
    await requireServiceLogin(owner, login);
    return readSessions(owner, login);
  });
}

/** Drops a former login of the services. Returns its sessions instead where there are any and they may not be ended. */
export function dropLogin(
  ownerUrl: string,
  login: string,
  { terminate }: { readonly terminate: boolean },
): Promise<readonly LoginSessions[]> {
  return asOwner(ownerUrl, async (owner) => {
    await requireServiceLogin(owner, login);
    const sessions = await readSessions(owner, login);
    if (sessions.length > 0 && !terminate) return sessions;
    // An owner that is no superuser may end the sessions of a login only as its member.
    await owner.query(`GRANT ${pg.escapeIdentifier(login)} TO CURRENT_USER`);
    await owner.query(`ALTER ROLE ${pg.escapeIdentifier(login)} NOLOGIN`);
    await endSessions(owner, login);
    await owner.query(`DROP ROLE ${pg.escapeIdentifier(login)}`);
    return [];
  });
}

async function requireServiceLogin(owner: pg.Client, login: string): Promise<void> {
  const { is_member } = await requireServiceRights(owner, login);
  if (!is_member) throw new Error(`${login} is no login of the services`);
}

async function asOwner<Result>(ownerUrl: string, work: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: await findPrimaryUrl(ownerUrl) });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function nextFreeName(owner: pg.Client, former: string): Promise<string> {
  const [, base = former, number = '1'] = /^(.+)_(\d{1,6})$/.exec(former) ?? [];
  for (let next = Number(number) + 1; ; next += 1) {
    const name = `${base}_${next}`;
    const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (rowCount === 0) return name;
  }
}

async function readSessions(owner: pg.Client, login: string): Promise<readonly LoginSessions[]> {
  const { rows } = await owner.query<{ application: string; sessions: string }>(
    `SELECT application_name AS application, count(*)::text AS sessions FROM pg_stat_activity WHERE usename = $1
     GROUP BY application_name ORDER BY application_name`,
    [login],
  );
  return rows.map(({ application, sessions }) => ({ application, sessions: Number(sessions) }));
}

const endTimeoutMs = 10_000;

/** The services open other sessions, with the login that they read from their file by now. */
async function endSessions(owner: pg.Client, login: string): Promise<void> {
  for (const deadline = performance.now() + endTimeoutMs; (await readSessions(owner, login)).length > 0; ) {
    await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login]);
    if (performance.now() > deadline) throw new Error(`the sessions of ${login} did not end within ${endTimeoutMs} ms`);
    await sleep(50);
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

const iterations = 4_096;

/** What Postgres stores of a password. Sent instead of it, because a server may log the statement. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

/** Also of an address with several hosts, which `URL` cannot read. */
function withLogin(url: string, login: string, password: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?]*@)?/, `$1${encodeURIComponent(login)}:${password}@`);
}
