import { hash, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ed25519 } from '@noble/curves/ed25519.js';
import nacl from 'tweetnacl';
import { signerOf } from '#libs/auth/signer.ts';
import { createKeyObject, hasCanonicalS, isValidSignature } from '#libs/auth/verify.ts';
import { verifyDetached } from './libsodium.ts';
import { publicKeyFault, verifySync } from './verify.ts';

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function toBytes(number: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(8 * at)) & 0xffn));
}

const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const message = 'GET\n/v1/x\n1\n';
const signature = nacl.sign.detached(new TextEncoder().encode(message), secretKey);

test('a signature with the group order added to S is invalid', () => {
  const key = createKeyObject(publicKey);
  const s = littleEndian(signature.slice(32));
  expect(isValidSignature(key, message, signature)).toBe(true);
  for (let times = 1n; s + times * groupOrder < 2n ** 256n; times += 1n) {
    const twin = Uint8Array.from([...signature.slice(0, 32), ...toBytes(s + times * groupOrder)]);
    expect(hasCanonicalS(twin)).toBe(false);
    expect(isValidSignature(key, message, twin)).toBe(false);
  }
});

test('libsodium and OpenSSL accept the same signatures', () => {
  expect(verifyDetached).toBeDefined();
  const key = { publicKey, verifier: createKeyObject(publicKey) };
  for (let at = 0; at < 96; at += 1) {
    const changed = signature.with(at % 64, (signature[at % 64] ?? 0) ^ (1 << (at % 8)));
    expect(verifySync(key, message, changed)).toBe(isValidSignature(key.verifier, message, changed));
    const other = signerOf(new Uint8Array(32).fill(at));
    const text = `${message}${at}`;
    const signed =
      at % 2 === 0
        ? sign(null, Buffer.from(text), other.privateKey)
        : nacl.sign.detached(Buffer.from(text), nacl.sign.keyPair.fromSeed(other.seed).secretKey);
    const verifying = { publicKey: other.publicKey, verifier: createKeyObject(other.publicKey) };
    expect(verifySync(verifying, text, signed)).toBe(true);
    expect(verifySync(key, text, signed)).toBe(at === 7);
    expect(verifySync(verifying, `${text}0`, signed)).toBe(false);
  }
  expect(verifySync(key, message, signature.subarray(1))).toBe(false);
});

test('both refuse a signature whose R has a small order, which the holder of a key can make', () => {
  const { scalar } = ed25519.utils.getExtendedPublicKey(new Uint8Array(32).fill(7));
  const neutral = Uint8Array.from([1, ...new Uint8Array(31)]);
  const h = littleEndian(hash('sha512', Buffer.concat([neutral, publicKey, Buffer.from(message)]), 'buffer'));
  const crafted = Uint8Array.from([...neutral, ...toBytes((h * scalar) % groupOrder)]);
  const verifier = createKeyObject(publicKey);
  expect(nacl.sign.detached.verify(Buffer.from(message), crafted, publicKey)).toBe(true);
  expect(isValidSignature(verifier, message, crafted)).toBe(false);
  expect(verifySync({ publicKey, verifier }, message, crafted)).toBe(false);
});

test('S must be below the group order', () => {
  const withS = (s: bigint): Uint8Array => Uint8Array.from([...new Uint8Array(32), ...toBytes(s)]);
  expect(hasCanonicalS(withS(0n))).toBe(true);
  expect(hasCanonicalS(withS(groupOrder - 1n))).toBe(true);
  expect(hasCanonicalS(withS(groupOrder))).toBe(false);
  expect(hasCanonicalS(withS(groupOrder + 1n))).toBe(false);
  expect(hasCanonicalS(withS(2n ** 256n - 1n))).toBe(false);
  expect(hasCanonicalS(new Uint8Array(63))).toBe(false);
});

// The eight points of small order in their canonical encodings, then all other encodings of them.
const canonicalEncodings = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
const otherEncodings = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
];

test.each(canonicalEncodings)('a key of small order cannot be registered: %s', (hex) => {
  expect(publicKeyFault(Buffer.from(hex, 'hex'))).toBe('small_order');
});

test.each(otherEncodings)('a non-canonical encoding of a point cannot be registered: %s', (hex) => {
  expect(publicKeyFault(Buffer.from(hex, 'hex'))).toBe('no_point');
});

test('generated keys can be registered, bytes that are not a point cannot', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const { publicKey } = signerOf(new Uint8Array(32).fill(seed));
    expect(publicKeyFault(publicKey)).toBeUndefined();
  }
  expect(publicKeyFault(toBytes(2n))).toBe('no_point');
  expect(publicKeyFault(new Uint8Array(31))).toBe('no_point');
});

test('under a key of small order one signature fits any message', () => {
  // tweetnacl, with which callers check evidence, accepts such keys.
  const key = Buffer.from(canonicalEncodings[0] as string, 'hex');
  const forged = Uint8Array.from([1, ...new Uint8Array(63)]);
  expect(nacl.sign.detached.verify(Buffer.from('anything at all'), forged, key)).toBe(true);
});
