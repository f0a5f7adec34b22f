/**
 * The curve, as far as a public key must be looked at before it is registered: some libraries verify under keys of small
 * order, and under such a key one signature fits many messages. Not on the hot path, so plain big integers.
 */
const p = 2n ** 255n - 19n;

function modulo(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = modulo(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
}

const inverse = (value: bigint): bigint => power(value, p - 2n);
const d = modulo(-121665n * inverse(121666n));
const rootOfMinusOne = power(2n, (p - 1n) / 4n);

/** A point in projective coordinates. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

/** The point that 32 bytes name, by RFC 8032 section 5.1.3: only the one canonical encoding of each point is read. */
function decode(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== 32) return undefined;
  let number = 0n;
  for (let at = 31; at >= 0; at -= 1) number = (number << 8n) | BigInt(bytes[at] as number);
  const sign = number >> 255n;
  const y = number & (2n ** 255n - 1n);
  if (y >= p) return undefined;
  const x = abscissa(y);
  if (x === undefined) return undefined;
  if (x === 0n && sign === 1n) return undefined;
  return { x: (x & 1n) === sign ? x : p - x, y, z: 1n };
}

/** One square root of (y² - 1) / (d y² + 1), where there is one. */
function abscissa(y: bigint): bigint | undefined {
  const u = modulo(y * y - 1n);
  const v = modulo(d * y * y + 1n);
  const candidate = modulo(u * power(v, 3n) * power(u * power(v, 7n), (p - 5n) / 8n));
  const check = modulo(v * candidate * candidate);
  if (check === u) return candidate;
  if (check === modulo(-u)) return modulo(candidate * rootOfMinusOne);
  return undefined;
}

function double({ x, y, z }: Point): Point {
  const b = modulo((x + y) ** 2n);
  const c = modulo(x * x);
  const e = modulo(y * y);
  const f = modulo(e - c);
  const j = modulo(f - 2n * z * z);
  return { x: modulo((b - c - e) * j), y: modulo(f * modulo(-c - e)), z: modulo(f * j) };
}

/** Why 32 bytes are no key to register, or nothing where they are one. */
export function keyFault(publicKey: Uint8Array): 'no_point' | 'small_order' | undefined {
  const point = decode(publicKey);
  if (point === undefined) return 'no_point';
  const eightfold = double(double(double(point)));
  return eightfold.x === 0n && eightfold.y === eightfold.z ? 'small_order' : undefined;
}
