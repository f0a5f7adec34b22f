/** Time-based one-time codes (RFC 6238) with the parameters that every authenticator app knows: SHA-1, 6 digits, 30 s. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
const secretBytes = 20;
/** Clocks of phones differ, and typing takes time. */
const acceptedSteps = [0, -1, 1];
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const secretForm = /^[A-Z2-7]{32}$/;

/** In base32, as apps take it. */
export function newTotpSecret(): string {
  // 256 is a multiple of 32: each character is equally likely.
  return Array.from(randomBytes((secretBytes * 8) / 5), (byte) => alphabet[byte % 32]).join('');
}

export function isTotpSecret(text: string): boolean {
  return secretForm.test(text);
}

export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** The time step whose code this is; undefined where it is wrong. A step that was used must not be accepted again. */
export function totpStepOf(secret: string, code: string, now: number): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const current = Math.floor(now / stepMs);
  return acceptedSteps
    .map((distance) => current + distance)
    .find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)));
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

/** What the QR code holds. */
export function totpUrl(secret: string, issuer: string, account: string): string {
  const label = encodeURIComponent(`${issuer}:${account}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
