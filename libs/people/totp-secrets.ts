/**
 * The secrets of authenticator apps as they are stored: encrypted with `TOTP_KEY` where it is set, else as they are. A copy of
 * the database alone, such as a backup, then yields no codes.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isTotpSecret } from './totp.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** No character of it is part of a secret in base32. */
const encryptedPrefix = 'v1.';

interface OpenedSecret {
  /** In base32. */
  readonly secret: string;
  /** Stored as it would be stored now: with the first key, or without any where there is none. */
  readonly isCurrent: boolean;
}

/** What is stored cannot be read with the keys of this process. */
export class TotpKeyMissingError extends Error {
  constructor() {
    super(
      'the secret of an authenticator app is encrypted with a key that TOTP_KEY does not hold; add the key it had before',
    );
    this.name = 'TotpKeyMissingError';
  }
}

export class TotpSecrets {
  readonly #currentKeys: () => readonly Buffer[];

  /** The first key encrypts, all decrypt: a new key can replace an old one while secrets of both are stored. */
  constructor(currentKeys: () => readonly Buffer[]) {
    this.#currentKeys = currentKeys;
  }

  /** What is stored for the person. */
  seal(personId: string, secret: string): string {
    const [key] = this.#currentKeys();
    if (key === undefined) return secret;
    const nonce = randomBytes(nonceBytes);
    // A secret that is moved to the row of another person cannot be decrypted there.
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(personId));
    const encrypted = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return encryptedPrefix + encrypted.toString('base64url');
  }

  isReadable(personId: string, stored: string): boolean {
    return this.#open(personId, stored) !== undefined;
  }

  /** Throws `TotpKeyMissingError` where no key fits. */
  open(personId: string, stored: string): OpenedSecret {
    const opened = this.#open(personId, stored);
    if (opened === undefined) throw new TotpKeyMissingError();
    return opened;
  }

  #open(personId: string, stored: string): OpenedSecret | undefined {
    const keys = this.#currentKeys();
    if (isTotpSecret(stored)) return { secret: stored, isCurrent: keys.length === 0 };
    for (const [index, key] of keys.entries()) {
      const secret = decrypt(key, personId, stored);
      if (secret !== undefined) return { secret, isCurrent: index === 0 };
    }
    return undefined;
  }
}

/** Undefined where the key is another one. */
function decrypt(key: Buffer, personId: string, stored: string): string | undefined {
  const bytes = Buffer.from(stored.slice(encryptedPrefix.length), 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  try {
    decipher.setAAD(Buffer.from(personId)).setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
