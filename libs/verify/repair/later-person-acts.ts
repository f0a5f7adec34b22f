/**
 * What was done to people of the console after the restored moment. Their rights, passwords and second factors are rows of
 * the schema `console`, which no fact restores: an operator does it again.
 */
import { type Database, query } from '#libs/database/database.ts';
import type { PersonAction } from '#libs/tenant/tenancy-facts.ts';

export interface LaterPersonAct {
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  /** Where it is recorded: a Tenancy, or the installation. */
  readonly tenantId: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly after: string;
}

/** Whether a restore takes back what the act changed. What the person repeats alone, such as a sign-in, does not count. */
const isLost: Readonly<Record<PersonAction, boolean>> = {
  invited: true,
  link_made: true,
  role_changed: true,
  operator_changed: true,
  access_changed: true,
  password_set: true,
  signed_in: false,
  signed_out: false,
  sign_in_paused: false,
  second_factor_refused: false,
  signed_out_everywhere: false,
  totp_changed: true,
  recovery_codes_renewed: true,
  second_factor_reset: true,
  secrets_encrypted: true,
  passkey_added: true,
  passkey_removed: true,
  cell_command: false,
  released: false,
};
const withoutLoss = Object.entries(isLost).flatMap(([action, lost]) => (lost ? [] : [action]));

/** Oldest first. `restoredEvents` has the last restored event of each partition. */
export async function readLaterPersonActs(
  database: Database,
  restoredEvents: ReadonlyMap<number, number>,
): Promise<LaterPersonAct[]> {
  const text = `SELECT recorded_at AS "recordedAt", tenant_id AS "tenantId", coalesce(body ->> 'actor', '') AS actor,
      body ->> 'action' AS action, body ->> 'subject' AS subject, coalesce(body ->> 'after', '') AS after
    FROM facts WHERE partition = $1 AND event_number > $2 AND kind = 'person_act' AND body ->> 'action' <> ALL ($3::text[])`;
  const acts: LaterPersonAct[] = [];
  for (const [partition, event] of restoredEvents) {
    acts.push(...(await query<LaterPersonAct>(database, 'later_person_acts', text, [partition, event, withoutLoss])));
  }
  return acts.sort((one, other) => one.recordedAt - other.recordedAt);
}
