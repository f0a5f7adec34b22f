/**
 * What was done to persons, committed in the transaction of its effect. The console submits each act to the log and then
 * deletes its row: no effect is without its fact, and signing in does not wait for Kafka.
 */
import { v7 } from 'uuid';
import { type Queryable, query } from '#libs/database/database.ts';

/** Where an act was done: in the console from an address, or on the command line. */
export interface ActOrigin {
  readonly channel: 'console' | 'command_line';
  readonly address?: string;
}

export interface PersonAct {
  readonly action: 'invited' | 'role_changed' | 'password_set' | 'signed_in' | 'signed_out_everywhere' | 'locked_out';
  /** The e-mail of the person who did it, or the name given on the command line. */
  readonly actor: string;
  readonly origin: ActOrigin;
  /** The e-mail of the person to whom it was done. */
  readonly subject: string;
  readonly before?: string | null;
  readonly after?: string | null;
}

/** Acts that concern no Tenancy are in the book of the installation. */
export const installationBookTenant = '_installation';

export async function recordLater(
  database: Queryable,
  act: PersonAct,
  tenantId: string = installationBookTenant,
): Promise<void> {
  const text = 'INSERT INTO console.unrecorded_acts (act_id, tenant_id, body) VALUES ($1, $2, $3)';
  await query(database, 'insert_unrecorded_act', text, [v7(), tenantId, JSON.stringify(act)]);
}
