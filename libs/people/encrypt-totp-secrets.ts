/** Stores the secrets of all authenticator apps as they would be stored now: after a new key, or before the key is removed. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { TotpKeyMissingError, type TotpSecrets } from './totp-secrets.ts';
import { recordLater } from './unrecorded-acts.ts';

export interface EncryptedSecrets {
  readonly changed: number;
  readonly unchanged: number;
  /** The e-mail addresses of those whose secret no present key decrypts. */
  readonly unreadable: readonly string[];
}

interface StoredSecret {
  readonly person_id: string;
  readonly email: string;
  readonly totp_secret: string;
}

interface EncryptionOptions {
  readonly plain?: boolean;
  readonly dryRun?: boolean;
  /** Called with how many are done, and all there are. */
  readonly onSecret?: (done: number, total: number) => void;
}

/** The acts of the audit list on all of them. */
export const allAuthenticatorApps = 'authenticator_apps';

/** What changes is committed with its act for the audit list. */
export function encryptTotpSecrets(
  database: Database,
  secrets: TotpSecrets,
  { actor, origin, ...options }: EncryptionOptions & { readonly actor: string; readonly origin: ActOrigin },
): Promise<EncryptedSecrets> {
  return inTransaction(database, async (transaction) => {
    const result = await encryptAll(transaction, secrets, options);
    if (result.changed > 0 && options.dryRun !== true) {
      const stored = options.plain === true ? 'plain' : 'encrypted';
      const after = JSON.stringify({ stored, changed: result.changed, unreadable: result.unreadable.length });
      await recordLater(transaction, {
        action: 'secrets_encrypted',
        actor,
        origin,
        subject: allAuthenticatorApps,
        after,
      });
    }
    return result;
  });
}

async function encryptAll(
  database: Queryable,
  secrets: TotpSecrets,
  { plain = false, dryRun = false, onSecret }: EncryptionOptions,
): Promise<EncryptedSecrets> {
  const all = 'SELECT person_id, email, totp_secret FROM console.persons WHERE totp_secret IS NOT NULL ORDER BY email';
  const unreadable: string[] = [];
  let changed = 0;
  let unchanged = 0;
  const rows = await query<StoredSecret>(database, 'totp', all, []);
  for (const [at, { person_id: id, email, totp_secret: stored }] of rows.entries()) {
    onSecret?.(at, rows.length);
    try {
      const { secret, isCurrent } = secrets.open(id, stored);
      if (plain ? stored === secret : isCurrent) {
        unchanged += 1;
        continue;
      }
      // Nothing changes where the person set up another app meanwhile.
      const text = 'UPDATE console.persons SET totp_secret = $3 WHERE person_id = $1 AND totp_secret = $2';
      if (!dryRun) await query(database, 'encrypt_totp', text, [id, stored, plain ? secret : secrets.seal(id, secret)]);
      changed += 1;
    } catch (cause) {
      if (!(cause instanceof TotpKeyMissingError)) throw cause;
      unreadable.push(email);
    }
  }
  return { changed, unchanged, unreadable };
}
