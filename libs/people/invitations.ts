/** One-time sign-in links: how a person gets a first password, or a new one. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { ensurePerson, findPerson, type Person, setOperator, setPasswordHash, setRole } from './persons.ts';
import type { Role } from './roles.ts';
import { newToken, tokenHash } from './secret-tokens.ts';
import { endSessionsOf } from './sessions.ts';
import { recordLater } from './unrecorded-acts.ts';

const linkLifetimeMs = 3 * 24 * 3_600_000;

export interface Invitation {
  /** Valid as `parseEmail` returns it. */
  readonly email: string;
  readonly as: 'operator' | { readonly tenantId: string; readonly role: Role };
  readonly actor: string;
  readonly origin: ActOrigin;
}

/** Returns the path of a link, which replaces earlier ones. Inviting the same person again adds a role. */
export function invite(database: Database, invitation: Invitation): Promise<string> {
  return inTransaction(database, async (connection) => {
    const person = await addRights(connection, invitation);
    return createLink(connection, person.id);
  });
}

/**
 * In the console. A link sets the password of its person, with all rights of the person: there is none for someone who has
 * a password, and an admin of a Tenancy gets none for someone with rights beyond this Tenancy. Undefined then.
 */
export function inviteFromConsole(
  database: Database,
  invitation: Invitation,
  { isOperator }: { readonly isOperator: boolean },
): Promise<string | undefined> {
  return inTransaction(database, async (connection) => {
    const before = await addRights(connection, invitation);
    // An earlier link must not give the added right.
    await deleteLinksOf(connection, before.id);
    const { as } = invitation;
    const others = [...before.roles.keys()].filter((tenantId) => as === 'operator' || tenantId !== as.tenantId);
    const hasOtherRights = before.isOperator || others.length > 0;
    const mayHaveLink = before.passwordHash === null && !before.isDisabled && (isOperator || !hasOtherRights);
    return mayHaveLink ? createLink(connection, before.id) : undefined;
  });
}

/** A link for a person who lost the password. */
export function makeSignInLink(
  database: Database,
  person: Person,
  { actor, origin }: { readonly actor: string; readonly origin: ActOrigin },
): Promise<string> {
  return inTransaction(database, async (connection) => {
    await recordLater(connection, { action: 'link_made', actor, origin, subject: person.email });
    return createLink(connection, person.id);
  });
}

/** Returns the person as it was before. */
async function addRights(connection: Queryable, { email, as, actor, origin }: Invitation): Promise<Person> {
  // Without a book of the Tenancy the act could not be recorded.
  if (as !== 'operator') await requireOpen(connection, as.tenantId);
  const person = await ensurePerson(connection, email);
  const act = { action: 'invited', actor, origin, subject: email } as const;
  if (as === 'operator') {
    await setOperator(connection, person.id, true);
    const before = person.isOperator ? 'operator' : null;
    await recordLater(connection, { ...act, before, after: 'operator' });
  } else {
    await setRole(connection, { personId: person.id, ...as });
    const before = person.roles.get(as.tenantId) ?? null;
    await recordLater(connection, { ...act, before, after: as.role }, as.tenantId);
  }
  return person;
}

async function createLink(connection: Queryable, personId: string): Promise<string> {
  await deleteLinksOf(connection, personId);
  const token = newToken();
  const text = 'INSERT INTO console.one_time_links (token_hash, person_id, expires_at) VALUES ($1, $2, $3)';
  await query(connection, 'insert_link', text, [tokenHash(token), personId, Date.now() + linkLifetimeMs]);
  return `/sign-in/link/${token}`;
}

export async function deleteLinksOf(database: Queryable, personId: string): Promise<void> {
  await query(database, 'delete_links', 'DELETE FROM console.one_time_links WHERE person_id = $1', [personId]);
}

async function requireOpen(database: Queryable, tenantId: string): Promise<void> {
  const rows = await query(database, 'is_open', 'SELECT FROM tenancies WHERE tenant_id = $1', [tenantId]);
  if (rows.length === 0) throw new Error(`there is no Tenancy ${tenantId}; lending tenancy open ${tenantId} opens it`);
}

/** The person whom an unused link signs in. */
export async function findInvited(database: Queryable, token: string): Promise<Person | undefined> {
  const text = 'SELECT person_id FROM console.one_time_links WHERE token_hash = $1 AND expires_at > $2';
  const [row] = await query<{ person_id: string }>(database, 'link', text, [tokenHash(token), Date.now()]);
  const person = row && (await findPerson(database, row.person_id));
  return person?.isDisabled === false ? person : undefined;
}

/** Sets the password of the link's person, once. All sessions and links of the person end. False where the link is used. */
export function redeemLink(
  database: Database,
  token: string,
  { passwordHash, origin }: { readonly passwordHash: string; readonly origin: ActOrigin },
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const text = 'DELETE FROM console.one_time_links WHERE token_hash = $1 AND expires_at > $2 RETURNING person_id';
    const [row] = await query<{ person_id: string }>(connection, 'use_link', text, [tokenHash(token), Date.now()]);
    const person = row && (await findPerson(connection, row.person_id));
    if (person === undefined || person.isDisabled) return false;
    await deleteLinksOf(connection, person.id);
    await setPasswordHash(connection, person.id, passwordHash);
    await endSessionsOf(connection, person.id);
    await recordLater(connection, { action: 'password_set', actor: person.email, origin, subject: person.email });
    return true;
  });
}
