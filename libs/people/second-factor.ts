/** The second factor of a person: codes of an authenticator app, and recovery codes for when the app is lost. */
import { randomBytes } from 'node:crypto';
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { lockPerson, lockUnchanged, type Person } from './persons.ts';
import { tokenHash } from './secret-tokens.ts';
import { isTotpCode, totpStepOf } from './totp.ts';
import type { TotpSecrets } from './totp-secrets.ts';
import { recordLater } from './unrecorded-acts.ts';

const recoveryCodeCount = 10;
/** 75 bits: a plain hash of it cannot be searched. */
const recoveryCodeCharacters = 15;
/** Without characters that look alike. 32 of them: each is equally likely. */
const recoveryAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

export interface SecondFactorContext {
  readonly database: Database;
  readonly totpSecrets: TotpSecrets;
}

/** Returns the recovery codes, which are shown once; undefined where the code does not fit the secret. */
export function enableSecondFactor(
  { database, totpSecrets }: SecondFactorContext,
  person: Person,
  { secret, code, origin }: { readonly secret: string; readonly code: string; readonly origin: ActOrigin },
): Promise<readonly string[] | undefined> {
  return inTransaction(database, async (connection) => {
    const step = totpStepOf(secret, code, Date.now());
    if (step === undefined || !(await lockUnchanged(connection, person))) return undefined;
    const text = 'UPDATE console.persons SET totp_secret = $2, totp_used_step = $3 WHERE person_id = $1';
    await query(connection, 'set_totp', text, [person.id, totpSecrets.seal(person.id, secret), step]);
    const before = person.totpSecret === null ? 'none' : 'set';
    const act = { actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { action: 'totp_changed', ...act, before, after: 'set' });
    return replaceRecoveryCodes(connection, person.id);
  });
}

export function disableSecondFactor(database: Database, person: Person, origin: ActOrigin): Promise<void> {
  return inTransaction(database, async (connection) => {
    // Nothing changes, and nothing is recorded, where another browser turned it off before.
    if ((await lockPerson(connection, person.id))?.totpSecret === null) return;
    await deleteSecondFactor(connection, person.id);
    const act = { actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { action: 'totp_changed', ...act, before: 'set', after: 'none' });
  });
}

export async function deleteSecondFactor(database: Queryable, personId: string): Promise<void> {
  const text = 'UPDATE console.persons SET totp_secret = NULL, totp_used_step = NULL WHERE person_id = $1';
  await query(database, 'delete_totp', text, [personId]);
  await deleteRecoveryCodes(database, personId);
}

/** The earlier ones are worth nothing afterwards. */
export function renewRecoveryCodes(database: Database, person: Person, origin: ActOrigin): Promise<readonly string[]> {
  return inTransaction(database, async (connection) => {
    const before = String(await countRecoveryCodes(connection, person.id));
    const after = String(recoveryCodeCount);
    const act = { actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { action: 'recovery_codes_renewed', ...act, before, after });
    return replaceRecoveryCodes(connection, person.id);
  });
}

export async function countRecoveryCodes(database: Queryable, personId: string): Promise<number> {
  const text = 'SELECT count(*)::integer AS codes FROM console.recovery_codes WHERE person_id = $1';
  const [row] = await query<{ codes: number }>(database, 'count_recovery_codes', text, [personId]);
  return row?.codes ?? 0;
}

export type SecondFactorMethod = 'code' | 'recovery code';

/** What the text proved to be; undefined where it is neither. A code of either kind is accepted once. */
export async function useSecondFactor(
  { database, totpSecrets }: SecondFactorContext,
  { id, totpSecret }: Person,
  text: string,
): Promise<SecondFactorMethod | undefined> {
  if (totpSecret === null) return undefined;
  const entered = text.replace(/[\s-]/g, '').toLowerCase();
  if (!isTotpCode(entered)) return (await useRecoveryCode(database, id, entered)) ? 'recovery code' : undefined;
  const { secret, isCurrent } = totpSecrets.open(id, totpSecret);
  const step = totpStepOf(secret, entered, Date.now());
  if (step === undefined) return undefined;
  const stored = isCurrent ? totpSecret : totpSecrets.seal(id, secret);
  const statement = `UPDATE console.persons SET totp_used_step = $3, totp_secret = $4
    WHERE person_id = $1 AND totp_secret = $2 AND (totp_used_step IS NULL OR totp_used_step < $3) RETURNING 1`;
  const rows = await query(database, 'use_totp', statement, [id, totpSecret, step, stored]);
  return rows.length > 0 ? 'code' : undefined;
}

async function useRecoveryCode(database: Queryable, personId: string, code: string): Promise<boolean> {
  const text = 'DELETE FROM console.recovery_codes WHERE person_id = $1 AND code_hash = $2 RETURNING 1';
  return (await query(database, 'use_recovery_code', text, [personId, tokenHash(code)])).length > 0;
}

async function replaceRecoveryCodes(database: Queryable, personId: string): Promise<readonly string[]> {
  await deleteRecoveryCodes(database, personId);
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const text = 'INSERT INTO console.recovery_codes (person_id, code_hash) SELECT $1::uuid, unnest($2::bytea[])';
  await query(database, 'insert_recovery_codes', text, [personId, codes.map(tokenHash)]);
  return codes.map((code) => (code.match(/.{5}/g) ?? []).join('-'));
}

async function deleteRecoveryCodes(database: Queryable, personId: string): Promise<void> {
  const text = 'DELETE FROM console.recovery_codes WHERE person_id = $1';
  await query(database, 'delete_recovery_codes', text, [personId]);
}

function newRecoveryCode(): string {
  return Array.from(randomBytes(recoveryCodeCharacters), (byte) => recoveryAlphabet[byte % 32]).join('');
}
