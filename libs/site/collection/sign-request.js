// Signs each request before it is sent. Bruno fills in variables after this script, so it fills them in itself.
const { createHash, createPrivateKey, createPublicKey, sign } = require('crypto');

const digest = (data) => createHash('sha256').update(data).digest();

// A PKCS 8 key is this header and the seed, which the secret holds after `lsk_test_` or `lsk_live_`.
const header = Buffer.from('302e020100300506032b657004220420', 'hex');
const seed = Buffer.from(bru.interpolate('{{secret}}').replace(/^lsk_[a-z]+_/, ''), 'base64url');
const key = createPrivateKey({ key: Buffer.concat([header, seed]), format: 'der', type: 'pkcs8' });
const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

// The quick start registers this Client. It stays the same until Bruno is started again.
if (!bru.getVar('client')) bru.setVar('client', `bruno-${Date.now().toString(36)}`);

const target = bru.interpolate(req.getUrl()).replace(/^https?:\/\/[^/]+/, '');
const body = bru.interpolate(req.getBody({ raw: true }) || '');
const idempotencyKey = req.getHeader('Idempotency-Key');
const ts = Math.floor(Date.now() / 1000);
const lines = [req.getMethod(), target, ts, digest(body).toString('hex')];
if (idempotencyKey) lines.push(bru.interpolate(idempotencyKey));

const fp = digest(publicKey).subarray(0, 16).toString('hex');
const sig = sign(null, Buffer.from(lines.join('\n')), key).toString('base64url');
req.setHeader('Authorization', `Service-Ed25519 fp=${fp},ts=${ts},sig=${sig}`);
if (body !== '') req.setBody(body);
