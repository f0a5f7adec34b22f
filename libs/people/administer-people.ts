/** What operators and admins do to persons. Each change is recorded with what was before and after. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { deleteLinksOf } from './invitations.ts';
import { deletePasskeysOf, listPasskeys } from './passkeys.ts';
import { lockPerson, setOperator, setRole } from './persons.ts';
import type { Role } from './roles.ts';
import { deleteSecondFactor } from './second-factor.ts';
import { endSessionsOf } from './sessions.ts';
import { recordLater } from './unrecorded-acts.ts';

/** Who acts, and from where. */
export interface Actor {
  readonly actor: string;
  readonly origin: ActOrigin;
}

/** Null takes the role away. False where the person has no role in the Tenancy (any more). */
export function changeRole(
  database: Database,
  { personId, tenantId, role }: { readonly personId: string; readonly tenantId: string; readonly role: Role | null },
  { actor, origin }: Actor,
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const person = await lockPerson(connection, personId);
    const before = person?.granted.roles.get(tenantId);
    if (person === undefined || before === undefined) return false;
    if (before === role) return true;
    await setRole(connection, { personId, tenantId, role });
    const act = { action: 'role_changed', actor, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before, after: role }, tenantId);
    return true;
  });
}

export type OperatorChange = 'done' | 'last operator';

/** One operator who can sign in always remains. */
export function changeOperator(
  database: Database,
  { personId, isOperator }: { readonly personId: string; readonly isOperator: boolean },
  { actor, origin }: Actor,
): Promise<OperatorChange> {
  return inTransaction(database, async (connection) => {
    const usableOperators = await lockUsableOperators(connection);
    const person = await lockPerson(connection, personId);
    if (person === undefined || person.granted.isOperator === isOperator) return 'done';
    if (!isOperator && isLast(usableOperators, personId)) return 'last operator';
    await setOperator(connection, personId, isOperator);
    const [before, after] = isOperator ? [null, 'operator'] : ['operator', null];
    const act = { action: 'operator_changed', actor, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before, after });
    return 'done';
  });
}

/** Disabling ends sessions and links, and puts the password out of the reach of the release before this one. */
export function changeAccess(
  database: Database,
  { personId, isDisabled }: { readonly personId: string; readonly isDisabled: boolean },
  { actor, origin }: Actor,
): Promise<OperatorChange> {
  return inTransaction(database, async (connection) => {
    const usableOperators = await lockUsableOperators(connection);
    const person = await lockPerson(connection, personId);
    if (person === undefined || person.isDisabled === isDisabled) return 'done';
    if (isDisabled && isLast(usableOperators, personId)) return 'last operator';
    const text = isDisabled
      ? `UPDATE console.persons SET is_disabled = true, disabled_password_hash = password_hash, password_hash = NULL
          WHERE person_id = $1`
      : `UPDATE console.persons SET is_disabled = false, disabled_password_hash = NULL,
          password_hash = coalesce(disabled_password_hash, password_hash) WHERE person_id = $1`;
    await query(connection, isDisabled ? 'disable_person' : 'enable_person', text, [personId]);
    await endSessionsOf(connection, personId);
    await deleteLinksOf(connection, personId);
    const [before, after] = isDisabled ? ['enabled', 'disabled'] : ['disabled', 'enabled'];
    const act = { action: 'access_changed', actor, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before, after });
    return 'done';
  });
}

/** For a person who lost the phone: codes, recovery codes and passkeys are removed, and all sessions end. */
export function resetSecondFactor(database: Database, personId: string, { actor, origin }: Actor): Promise<void> {
  return inTransaction(database, async (connection) => {
    const person = await lockPerson(connection, personId);
    if (person === undefined) return;
    const passkeys = await listPasskeys(connection, personId);
    const parts = [...(person.totpSecret === null ? [] : ['codes']), ...passkeys.map(({ name }) => `passkey ${name}`)];
    if (parts.length === 0) return;
    await deleteSecondFactor(connection, personId);
    await deletePasskeysOf(connection, personId);
    await endSessionsOf(connection, personId);
    const act = { action: 'second_factor_reset', actor, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: parts.join(', '), after: 'none' });
  });
}

/** Two operators who take each other's rights away must not both succeed. */
async function lockUsableOperators(connection: Queryable): Promise<readonly string[]> {
  const text = `SELECT person_id FROM console.persons
    WHERE is_operator AND NOT is_disabled AND password_hash IS NOT NULL AND credential_scope IS NULL ORDER BY person_id FOR UPDATE`;
  const rows = await query<{ person_id: string }>(connection, 'lock_operators', text, []);
  return rows.map(({ person_id }) => person_id);
}

function isLast(usableOperators: readonly string[], personId: string): boolean {
  return usableOperators.every((id) => id === personId);
}
