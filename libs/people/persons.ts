/** The persons of the console, with their roles. */
import { v7 } from 'uuid';
import { type Queryable, query } from '#libs/database/database.ts';
import { isRole, type Rights, type Role, rightsWithin } from './roles.ts';

/** Its own rights are those in force. */
export interface Person extends Rights {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly language: string | null;
  readonly passwordHash: string | null;
  /** As it is stored, which `TotpSecrets` reads; null without a second factor. */
  readonly totpSecret: string | null;
  /** A disabled person cannot sign in. */
  readonly isDisabled: boolean;
  /** As they were given, in force or not. */
  readonly granted: Rights;
  /**
   * The Tenancies that the issuer of the link administered by which the password was set; null for an operator. The issuer
   * may know the password, so rights beyond them are not in force.
   */
  readonly credentialScope: readonly string[] | null;
}

interface PersonRow {
  readonly person_id: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly language: string | null;
  readonly password_hash: string | null;
  readonly totp_secret: string | null;
  readonly is_disabled: boolean;
  readonly credential_scope: readonly string[] | null;
  readonly roles: Readonly<Record<string, string>> | null;
}

const selectPerson = `
  SELECT person_id, email, is_operator, language, password_hash, totp_secret, is_disabled, credential_scope,
    (SELECT json_object_agg(tenant_id, role) FROM console.roles r WHERE r.person_id = p.person_id) AS roles
  FROM console.persons p`;

/** The form in which an e-mail address is stored and compared; undefined for text that is none. */
export function parseEmail(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s\p{Cc}@<>"']+@[^\s\p{Cc}@<>"']+$/u.test(email) ? email : undefined;
}

export async function findPerson(database: Queryable, id: string): Promise<Person | undefined> {
  const [row] = await query<PersonRow>(database, 'person', `${selectPerson} WHERE person_id = $1`, [id]);
  return row && personOf(row);
}

/** Of two changes at once the second one sees the state after the first. */
export async function lockPerson(connection: Queryable, id: string): Promise<Person | undefined> {
  await query(connection, 'lock_person', 'SELECT 1 FROM console.persons WHERE person_id = $1 FOR UPDATE', [id]);
  return findPerson(connection, id);
}

/**
 * Locks the person. False where the password was replaced since `person` was read: what was signed in by the earlier one must
 * not give the person another way to sign in.
 */
export async function lockUnchanged(connection: Queryable, person: Person): Promise<boolean> {
  const present = await lockPerson(connection, person.id);
  return present !== undefined && !present.isDisabled && present.passwordHash === person.passwordHash;
}

export async function findPersonByEmail(database: Queryable, email: string): Promise<Person | undefined> {
  const [row] = await query<PersonRow>(database, 'person_by_email', `${selectPerson} WHERE email = $1`, [email]);
  return row && personOf(row);
}

/** The person of this address, created where there is none, and locked. */
export async function ensurePerson(connection: Queryable, email: string): Promise<Person> {
  const text = `INSERT INTO console.persons (person_id, email, is_operator, created_at) VALUES ($1, $2, false, $3)
    ON CONFLICT (email) DO NOTHING`;
  await query(connection, 'insert_person', text, [v7(), email, Date.now() * 1_000]);
  const id = (await findPersonByEmail(connection, email))?.id;
  const person = id === undefined ? undefined : await lockPerson(connection, id);
  if (person === undefined) throw new Error(`the person ${email} was not stored`);
  return person;
}

export async function setOperator(database: Queryable, personId: string, isOperator: boolean): Promise<void> {
  const text = 'UPDATE console.persons SET is_operator = $2 WHERE person_id = $1';
  await query(database, 'set_operator', text, [personId, isOperator]);
}

/** Null takes the role away. */
export async function setRole(
  database: Queryable,
  { personId, tenantId, role }: { readonly personId: string; readonly tenantId: string; readonly role: Role | null },
): Promise<void> {
  if (role === null) {
    const text = 'DELETE FROM console.roles WHERE person_id = $1 AND tenant_id = $2';
    await query(database, 'delete_role', text, [personId, tenantId]);
    return;
  }
  const text = `INSERT INTO console.roles (person_id, tenant_id, role) VALUES ($1, $2, $3)
    ON CONFLICT (person_id, tenant_id) DO UPDATE SET role = excluded.role`;
  await query(database, 'set_role', text, [personId, tenantId, role]);
}

export async function setPassword(
  database: Queryable,
  personId: string,
  { passwordHash, credentialScope }: Pick<Person, 'passwordHash' | 'credentialScope'>,
): Promise<void> {
  const text = 'UPDATE console.persons SET password_hash = $2, credential_scope = $3 WHERE person_id = $1';
  await query(database, 'set_password', text, [personId, passwordHash, credentialScope]);
}

export function hasRightsNotInForce({ granted, isOperator, roles }: Person): boolean {
  return granted.isOperator !== isOperator || granted.roles.size > roles.size;
}

export async function setLanguage(database: Queryable, personId: string, language: string): Promise<void> {
  const text = 'UPDATE console.persons SET language = $2 WHERE person_id = $1';
  await query(database, 'set_language', text, [personId, language]);
}

function personOf(row: PersonRow): Person {
  const roles = new Map<string, Role>();
  for (const [tenantId, role] of Object.entries(row.roles ?? {})) if (isRole(role)) roles.set(tenantId, role);
  const granted = { isOperator: row.is_operator, roles };
  return {
    id: row.person_id,
    email: row.email,
    ...rightsWithin(granted, row.credential_scope),
    granted,
    credentialScope: row.credential_scope,
    language: row.language,
    passwordHash: row.password_hash,
    totpSecret: row.totp_secret,
    isDisabled: row.is_disabled,
  };
}
