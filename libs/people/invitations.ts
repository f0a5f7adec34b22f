/** One-time sign-in links: how a person gets a first password, or a new one. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { ensurePerson, findPerson, type Person, setOperator, setRole } from './persons.ts';
import { administeredTenancies, maxRoles, type Rights, type Role } from './roles.ts';
import { newToken, tokenHash } from './secret-tokens.ts';
import { recordLater } from './unrecorded-acts.ts';

const linkLifetimeMs = 3 * 24 * 3_600_000;

export interface Invitation {
  /** Valid as `parseEmail` returns it. */
  readonly email: string;
  readonly as: 'operator' | { readonly tenantId: string; readonly role: Role };
  readonly actor: string;
  readonly origin: ActOrigin;
  /** Where the Tenancy is, if not in the database of the persons. */
  readonly tenancies?: Queryable;
}

/** On the command line. Returns the path of a link. Inviting the same person again adds a role. */
export async function invite(database: Database, invitation: Invitation): Promise<string> {
  await requireTenancy(database, invitation);
  return inTransaction(database, async (connection) => {
    const { person } = await addRights(connection, invitation);
    return createLink(connection, person.id, null);
  });
}

/**
 * In the console. An operator gets no link for a person with a password, whom it would sign out, and with a role in a
 * Tenancy none for an operator. An admin always gets one, so that making it does not reveal whether the person has an account.
 * It sets a first password only: who uses it learns whether there is one.
 */
export async function inviteFromConsole(
  database: Database,
  invitation: Invitation,
  issuer: Rights,
): Promise<InvitedPerson & { readonly path: string | undefined }> {
  await requireTenancy(database, invitation);
  return inTransaction(database, async (connection) => {
    const { person, before } = await addRights(connection, invitation);
    const hasMore = invitation.as !== 'operator' && person.granted.isOperator;
    const needsLink = !issuer.isOperator || (person.passwordHash === null && !person.isDisabled && !hasMore);
    const scope = administeredTenancies(issuer);
    return { person, before, path: needsLink ? await createLink(connection, person.id, scope) : undefined };
  });
}

/** An operator's link for a person who lost the password, or whose rights are not all in force. */
export function makeSignInLink(
  database: Database,
  person: Person,
  { actor, origin }: { readonly actor: string; readonly origin: ActOrigin },
): Promise<string> {
  return inTransaction(database, async (connection) => {
    await recordLater(connection, { action: 'link_made', actor, origin, subject: person.email });
    return createLink(connection, person.id, null);
  });
}

export class TooManyRolesError extends Error {
  override readonly name = 'TooManyRolesError';

  constructor(email: string) {
    super(`${email} has a role in ${maxRoles} Tenancies, the most of one person; take some away first`);
  }
}

export interface InvitedPerson {
  /** With the rights of the invitation. */
  readonly person: Person;
  /** What the invitation replaced; null where the person had no right there. */
  readonly before: 'operator' | Role | null;
}

/** The person is locked. */
async function addRights(connection: Queryable, invitation: Invitation): Promise<InvitedPerson> {
  const { email, as, actor, origin } = invitation;
  const { id, granted } = await ensurePerson(connection, email);
  const operatorBefore = granted.isOperator ? 'operator' : null;
  const before = as === 'operator' ? operatorBefore : (granted.roles.get(as.tenantId) ?? null);
  const act = { action: 'invited', actor, origin, subject: email } as const;
  if (as === 'operator') {
    await setOperator(connection, id, true);
    await recordLater(connection, { ...act, before, after: 'operator' });
  } else {
    const { roles } = granted;
    if (!roles.has(as.tenantId) && roles.size >= maxRoles) throw new TooManyRolesError(email);
    await setRole(connection, { personId: id, ...as });
    await recordLater(connection, { ...act, before, after: as.role }, as.tenantId);
  }
  return { person: await ensurePerson(connection, email), before };
}

/** Replaces earlier links of the same scope. An admin's link must not end that of an operator. */
async function createLink(connection: Queryable, personId: string, scope: readonly string[] | null): Promise<string> {
  const now = Date.now();
  const replaced = `DELETE FROM console.one_time_links
    WHERE person_id = $1 AND (scope IS NOT DISTINCT FROM $2::text[] OR expires_at <= $3)`;
  await query(connection, 'replace_links', replaced, [personId, scope, now]);
  const token = newToken();
  const text = 'INSERT INTO console.one_time_links (token_hash, person_id, scope, expires_at) VALUES ($1, $2, $3, $4)';
  await query(connection, 'insert_link', text, [tokenHash(token), personId, scope, now + linkLifetimeMs]);
  return `/sign-in/link/${token}`;
}

export async function deleteLinksOf(database: Queryable, personId: string): Promise<void> {
  await query(database, 'delete_links', 'DELETE FROM console.one_time_links WHERE person_id = $1', [personId]);
}

/**
 * Without a book of the Tenancy the act could not be recorded. Before the transaction: the database may be the same, and a
 * transaction that waits for a second connection waits for others that do so.
 */
async function requireTenancy(database: Database, { as, tenancies = database }: Invitation): Promise<void> {
  if (as === 'operator') return;
  const { tenantId } = as;
  const rows = await query(tenancies, 'is_open', 'SELECT FROM tenancies WHERE tenant_id = $1', [tenantId]);
  if (rows.length === 0) throw new Error(`there is no Tenancy ${tenantId}; lending tenancy open ${tenantId} opens it`);
}

/** The person whom an unused link is for; also a disabled one, whose state its page must not reveal. */
export async function findInvited(database: Queryable, token: string): Promise<Person | undefined> {
  const text = 'SELECT person_id FROM console.one_time_links WHERE token_hash = $1 AND expires_at > $2';
  const [row] = await query<{ person_id: string }>(database, 'link', text, [tokenHash(token), Date.now()]);
  return row && findPerson(database, row.person_id);
}
