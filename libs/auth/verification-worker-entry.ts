/** The worker thread of `verification-worker.ts`: verifies each batch and answers one byte per signature. */
import { type KeyObject, verify } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { verifyDetached } from '#libs/auth/libsodium.ts';
import { signatureBytes } from '#libs/auth/signing-scheme.ts';
import { headerBytes, publicKeyBytes } from '#libs/auth/verification-worker.ts';
import { createKeyObject } from '#libs/auth/verify.ts';

const keyObjects = new LRUCache<string, KeyObject>({ max: 10_000 });

parentPort?.on('message', (message: Uint8Array<ArrayBuffer>) => {
  const batch = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const results: number[] = [];
  for (let at = 0; at < batch.length; ) {
    const publicKey = batch.subarray(at, at + publicKeyBytes);
    const signature = batch.subarray(at + publicKeyBytes, at + publicKeyBytes + signatureBytes);
    const end = at + headerBytes + batch.readUInt32LE(at + publicKeyBytes + signatureBytes);
    results.push(isValid(signature, batch.subarray(at + headerBytes, end), publicKey) ? 1 : 0);
    at = end;
  }
  parentPort?.postMessage(Uint8Array.from(results));
});
// Loading takes some tenths of a second; nothing is sent to the thread before this.
parentPort?.postMessage('ready');

function isValid(signature: Buffer, message: Buffer, publicKey: Buffer): boolean {
  return verifyDetached?.(signature, message, publicKey) ?? verify(null, message, keyObjectOf(publicKey), signature);
}

function keyObjectOf(publicKey: Buffer): KeyObject {
  const name = publicKey.toString('latin1');
  const known = keyObjects.get(name);
  if (known !== undefined) return known;
  const created = createKeyObject(publicKey);
  keyObjects.set(name, created);
  return created;
}
