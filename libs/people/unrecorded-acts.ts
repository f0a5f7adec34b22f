/**
 * What was done to persons, committed in the transaction of its effect. The console submits each act to the log and then
 * deletes its row: no effect is without its fact, and signing in does not wait for Kafka.
 */
import { v7 } from 'uuid';
import { type Queryable, query } from '#libs/database/database.ts';
import { textArray, uuidArray } from '#libs/database/pg-binary.ts';
import { installationId } from '#libs/tenant/administration-acts.ts';
import type { ActOrigin, PersonAct } from '#libs/tenant/tenancy-facts.ts';

export interface ActOfPerson extends Omit<PersonAct, 'act_id'> {
  /** The e-mail of the person who did it, or the name given on the command line. */
  readonly actor: string;
  readonly origin: ActOrigin;
}

/** Without a Tenancy it goes to the book of the installation. */
export async function recordLater(
  database: Queryable,
  act: ActOfPerson,
  tenantId: string = installationId,
): Promise<void> {
  const text = 'INSERT INTO console.unrecorded_acts (act_id, tenant_id, body) VALUES ($1, $2, $3)';
  await query(database, 'insert_unrecorded_act', text, [v7(), tenantId, JSON.stringify(act)]);
}

export interface UnrecordedAct {
  readonly tenantId: string;
  readonly actor: string;
  readonly body: PersonAct & { readonly origin: ActOrigin };
}

/**
 * Whether this transaction may record acts: each console tries to, and the log keeps for ever what two of them submitted. The
 * lock ends with the transaction.
 */
export async function lockRecording(transaction: Queryable): Promise<boolean> {
  const text = "SELECT pg_try_advisory_xact_lock(hashtext('console.unrecorded_acts')) AS is_locked";
  const [row] = await query<{ is_locked: boolean }>(transaction, 'lock_unrecorded_acts', text, []);
  return row?.is_locked === true;
}

/** What is not tried now. */
export interface PostponedActs {
  readonly actIds: readonly string[];
  /** Of all acts in their books. */
  readonly tenantIds: readonly string[];
}

/**
 * The oldest one that is not postponed. An act that is recorded twice, after a crash in between, has the same `act_id` both
 * times.
 */
export async function readUnrecordedAct(
  database: Queryable,
  { actIds, tenantIds }: PostponedActs,
): Promise<UnrecordedAct | undefined> {
  const text = `
    SELECT act_id, tenant_id, body FROM console.unrecorded_acts
    WHERE act_id <> ALL ($1::uuid[]) AND tenant_id <> ALL ($2::text[])
    ORDER BY act_id LIMIT 1`;
  const parameters = [uuidArray(actIds), textArray(tenantIds)];
  const [row] = await query<{ act_id: string; tenant_id: string; body: string }>(
    database,
    'unrecorded_act',
    text,
    parameters,
  );
  if (row === undefined) return undefined;
  const { actor, ...act } = JSON.parse(row.body) as ActOfPerson;
  return { tenantId: row.tenant_id, actor, body: { act_id: row.act_id, ...act } };
}

export async function deleteRecordedAct(database: Queryable, { body }: UnrecordedAct): Promise<void> {
  await query(database, 'delete_recorded_act', 'DELETE FROM console.unrecorded_acts WHERE act_id = $1', [body.act_id]);
}
