/** The persons of the console, with their roles. */
import { v7 } from 'uuid';
import { type Queryable, query } from '#libs/database/database.ts';
import { isRole, type Rights, type Role } from './roles.ts';

export interface Person extends Rights {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly language: string | null;
  readonly passwordHash: string | null;
  /** In base32; null without a second factor. */
  readonly totpSecret: string | null;
  /** A disabled person cannot sign in. */
  readonly isDisabled: boolean;
}

interface PersonRow {
  readonly person_id: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly language: string | null;
  readonly password_hash: string | null;
  readonly totp_secret: string | null;
  readonly is_disabled: boolean;
  readonly roles: Readonly<Record<string, string>> | null;
}

const selectPerson = `
  SELECT person_id, email, is_operator, language, password_hash, totp_secret, is_disabled,
    (SELECT json_object_agg(tenant_id, role) FROM console.roles r WHERE r.person_id = p.person_id) AS roles
  FROM console.persons p`;

/** The form in which an e-mail address is stored and compared; undefined for text that is none. */
export function parseEmail(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s@<>"']+@[^\s@<>"']+$/.test(email) ? email : undefined;
}

export async function findPerson(database: Queryable, id: string): Promise<Person | undefined> {
  const [row] = await query<PersonRow>(database, 'person', `${selectPerson} WHERE person_id = $1`, [id]);
  return row && personOf(row);
}

export async function findPersonByEmail(database: Queryable, email: string): Promise<Person | undefined> {
  const [row] = await query<PersonRow>(database, 'person_by_email', `${selectPerson} WHERE email = $1`, [email]);
  return row && personOf(row);
}

/** The person of this address, created where there is none. */
export async function ensurePerson(database: Queryable, email: string): Promise<Person> {
  const text = `INSERT INTO console.persons (person_id, email, is_operator, created_at) VALUES ($1, $2, false, $3)
    ON CONFLICT (email) DO NOTHING`;
  await query(database, 'insert_person', text, [v7(), email, Date.now() * 1_000]);
  const person = await findPersonByEmail(database, email);
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

export async function setPasswordHash(database: Queryable, personId: string, hash: string): Promise<void> {
  const text = 'UPDATE console.persons SET password_hash = $2 WHERE person_id = $1';
  await query(database, 'set_password', text, [personId, hash]);
}

export async function setLanguage(database: Queryable, personId: string, language: string): Promise<void> {
  const text = 'UPDATE console.persons SET language = $2 WHERE person_id = $1';
  await query(database, 'set_language', text, [personId, language]);
}

function personOf(row: PersonRow): Person {
  const roles = new Map<string, Role>();
  for (const [tenantId, role] of Object.entries(row.roles ?? {})) if (isRole(role)) roles.set(tenantId, role);
  return {
    id: row.person_id,
    email: row.email,
    isOperator: row.is_operator,
    roles,
    language: row.language,
    passwordHash: row.password_hash,
    totpSecret: row.totp_secret,
    isDisabled: row.is_disabled,
  };
}
