import { expect, test } from '@jest/globals';
import nacl from 'tweetnacl';
import { publicKeyFault } from '#libs/auth/public-key.ts';
import { createKeyObject, hasCanonicalS, isValidSignature } from '#libs/auth/verify.ts';

const order = 2n ** 252n + 27742317777372353535851937790883648493n;

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function toBytes(number: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(8 * at)) & 0xffn));
}

const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const message = 'GET\n/v1/x\n1\n';
const signature = nacl.sign.detached(new TextEncoder().encode(message), secretKey);

test('a signature written a second way, with the order of the group added, is refused', () => {
  const key = createKeyObject(publicKey);
  const s = littleEndian(signature.slice(32));
  expect(isValidSignature(key, message, signature)).toBe(true);
  for (let times = 1n; s + times * order < 2n ** 256n; times += 1n) {
    const twin = Uint8Array.from([...signature.slice(0, 32), ...toBytes(s + times * order)]);
    expect(hasCanonicalS(twin)).toBe(false);
    expect(isValidSignature(key, message, twin)).toBe(false);
  }
});

test('S is read up to the order of the group and not at it', () => {
  const withS = (s: bigint): Uint8Array => Uint8Array.from([...new Uint8Array(32), ...toBytes(s)]);
  expect(hasCanonicalS(withS(0n))).toBe(true);
  expect(hasCanonicalS(withS(order - 1n))).toBe(true);
  expect(hasCanonicalS(withS(order))).toBe(false);
  expect(hasCanonicalS(withS(order + 1n))).toBe(false);
  expect(hasCanonicalS(withS(2n ** 256n - 1n))).toBe(false);
  expect(hasCanonicalS(new Uint8Array(63))).toBe(false);
});

// The eight points of small order, in their canonical encodings, then every other way bytes can name them.
const canonicalSmall = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
const otherSmall = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
];

test.each(canonicalSmall)('a key of small order is no key to register: %s', (hex) => {
  expect(publicKeyFault(Buffer.from(hex, 'hex'))).toBe('small_order');
});

test.each(otherSmall)('bytes that name a point a second way are no key to register: %s', (hex) => {
  expect(publicKeyFault(Buffer.from(hex, 'hex'))).toBe('no_point');
});

test('a key that was minted is one to register, and bytes beside the curve are not', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(seed));
    expect(publicKeyFault(pair.publicKey)).toBeUndefined();
  }
  expect(publicKeyFault(toBytes(2n))).toBe('no_point');
  expect(publicKeyFault(new Uint8Array(31))).toBe('no_point');
});

test('why it matters: under a key of small order one signature fits messages it was never made for', () => {
  // Not every library refuses it by itself: tweetnacl, with which callers check evidence, does not.
  const key = Buffer.from(canonicalSmall[0] as string, 'hex');
  const forged = Uint8Array.from([1, ...new Uint8Array(63)]);
  expect(nacl.sign.detached.verify(Buffer.from('anything at all'), forged, key)).toBe(true);
});
