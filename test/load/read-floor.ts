/**
 * What a read cannot go below: Express, one signature, the same round trips to Postgres and Redis with as many bytes from
 * there, and as many bytes back. Every read asks Postgres which facts there are; where the book is not in memory its
 * snapshot comes from Redis, or from Postgres as well.
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import express from 'express';
import { canonicalString } from '#libs/auth/canonical.ts';
import { openDatabase } from '#libs/database/database.ts';
import { openRedis } from '#libs/redis/redis.ts';

const [databaseUrl = '', redisUrl = '', publicKey = '', tenantId = '', redisKey = '', bytes = '0', trip = ''] =
  process.argv.slice(2);
const bookId = redisKey.slice(redisKey.indexOf('/') + 1);
const database = openDatabase({ url: databaseUrl, name: 'read-floor' });
const redis = openRedis(redisUrl, 'read-floor');
const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
const body = { padding: 'x'.repeat(Number(bytes)) };

const row = {
  name: 'floor',
  text: 'SELECT sequence, version_count, version_at FROM books WHERE tenant_id = $1 AND book_id = $2',
};

const snapshot = { name: 'snapshot', text: 'SELECT data FROM snapshots WHERE tenant_id = $1 AND book_id = $2' };

const trips: Readonly<Record<string, () => Promise<unknown>>> = {
  redis: () => redis.hget(redisKey, 'd'),
  postgres: () => database.query({ ...snapshot, values: [tenantId, bookId] }),
};
const second = trips[trip];

const app = express();
app.disable('etag');
app.get('/*path', async (request, response) => {
  const [, ts = '', sig = ''] = /ts=(\d+),sig=(\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const nothing = hash('sha256', '', 'hex');
  const canonical = canonicalString({ method: 'GET', target: request.originalUrl, ts, bodySha256: nothing });
  if (!verify(null, Buffer.from(canonical), key, Buffer.from(sig, 'base64url'))) return response.status(401).end();
  await database.query({ ...row, values: [tenantId, bookId] });
  await second?.();
  return response.json(body);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as { port: number }).port);
});
