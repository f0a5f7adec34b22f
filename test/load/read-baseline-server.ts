/**
 * The read baseline: the least that a read needs with Express. One signature check, the same queries to Postgres and Redis,
 * and a response of the same size. Every read queries the book's position in Postgres; a book that is not in memory also needs
 * its snapshot, from Redis or from Postgres.
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import express from 'express';
import { canonicalString } from '#libs/auth/signing-scheme.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { openRedis } from '#libs/redis/redis.ts';

const [
  databaseUrl = '',
  redisUrl = '',
  publicKey = '',
  tenantId = '',
  redisKey = '',
  responseBytes = '0',
  snapshotSource = '',
] = process.argv.slice(2);
const bookId = redisKey.slice(redisKey.indexOf('/') + 1);
const database = openDatabase({ url: databaseUrl, name: 'read-baseline' });
const redis = openRedis(redisUrl, 'read-baseline');
const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
const body = { padding: 'x'.repeat(Number(responseBytes)) };

const position = {
  name: 'position',
  text: 'SELECT sequence, version_count, version_at FROM books WHERE tenant_id = $1 AND book_id = $2',
};

const snapshot = { name: 'snapshot', text: 'SELECT data FROM snapshots WHERE tenant_id = $1 AND book_id = $2' };

const snapshotSources: Readonly<Record<string, () => Promise<unknown>>> = {
  redis: () => redis.hget(redisKey, 'd'),
  postgres: () => database.query({ ...snapshot, values: [tenantId, bookId] }),
};
const readSnapshot = snapshotSources[snapshotSource];

const app = express();
app.disable('etag');
app.get('/*path', async (request, response) => {
  const [, ts = '', sig = ''] = /ts=(\d+),sig=(\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const emptyBodySha256 = hash('sha256', '', 'hex');
  const canonical = canonicalString({ method: 'GET', target: request.originalUrl, ts, bodySha256: emptyBodySha256 });
  if (!verify(null, Buffer.from(canonical), key, Buffer.from(sig, 'base64url'))) return response.status(401).end();
  await database.query({ ...position, values: [tenantId, bookId] });
  await readSnapshot?.();
  return response.json(body);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as { port: number }).port);
});
