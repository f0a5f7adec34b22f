/** Password hashes: argon2id, in the PHC string format, so that the parameters can be raised later. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
    void argon2('argon2id', parameters, done),
);

/** The first recommendation of OWASP. Memory is in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** Each takes its memory and a thread of the pool that files and addresses share. */
const maxConcurrentHashes = 2;
const maxWaitingHashes = 32;

/** In characters. The longest bounds the work of one request. */
export const passwordLength = { min: 12, max: 200 } as const;

export function isAcceptablePassword(password: string): boolean {
  return password.length >= passwordLength.min && password.length <= passwordLength.max;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Takes equally long where there is no account, so that the time of an answer does not reveal which e-mails exist. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const parsed = parse(stored ?? (await decoyHash()));
  const hash = await derive(password.slice(0, passwordLength.max), parsed.salt, parsed.cost);
  return timingSafeEqual(hash, parsed.hash) && typeof stored === 'string';
}

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

function derive(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  // Two ways to type the same character must give the same bytes.
  const message = Buffer.from(password.normalize('NFKC'));
  return inTurn(() => deriveKey({ message, nonce, memory, passes, parallelism, tagLength: hashBytes }));
}

/** So many people sign in at this moment that the password was not looked at. */
export class PasswordHashingBusyError extends Error {
  readonly status = 429;
}

let runningHashes = 0;
const waitingHashes: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waitingHashes.length >= maxWaitingHashes) {
    throw new PasswordHashingBusyError(`${maxWaitingHashes} password hashes wait already`);
  }
  if (runningHashes < maxConcurrentHashes) runningHashes += 1;
  else await new Promise<void>((resolve) => waitingHashes.push(resolve));
  try {
    return await work();
  } finally {
    // The next one takes over the place of this one.
    const next = waitingHashes.shift();
    if (next === undefined) runningHashes -= 1;
    else next();
  }
}

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly hash: Buffer } {
  const [, memory, passes, parallelism, salt, hash] = form.exec(stored) ?? [];
  if (salt === undefined || hash === undefined)
    throw new Error('a stored password hash is not of the form $argon2id$…');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
  decoy ??= hashPassword(randomBytes(saltBytes).toString('hex'));
  return decoy;
}
