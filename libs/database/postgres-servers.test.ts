/** What an address of Postgres says about its servers, without a connection. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CertificateAuthority } from '#deploy/cluster/certificates.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { urlOf } from './open-partition-databases.ts';
import { openDatabase } from './pool.ts';
import { PostgresServers } from './postgres-servers.ts';

let dir: string;
let rootCertificate: string;
let files: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lending-servers-'));
  const authority = await CertificateAuthority.open(dir);
  const { certificate } = await authority.issue('service');
  rootCertificate = authority.file;
  files = `sslmode=verify-full&sslrootcert=${rootCertificate}&sslcert=${certificate}`;
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The settings whose certificates are valid. */
async function reportedSettings(): Promise<unknown[]> {
  const metric = await metrics.getSingleMetric('lending_certificate_remaining_seconds')?.get();
  return metric?.values.filter(({ value }) => value > 0).map(({ labels }) => labels['setting']) ?? [];
}

test('the certificates that the address names are reported for as long as they are valid', async () => {
  new PostgresServers(
    `postgres://one:5432,two:5432/lending?target_session_attrs=read-write&${files}`,
  ).reportCertificates('DATABASE_URL');
  expect(await reportedSettings()).toEqual(['DATABASE_URL sslcert', 'DATABASE_URL sslrootcert']);
});

test('those of a further database are reported beside those of the home database', async () => {
  const north = `postgres://north/lending?sslmode=verify-full&sslrootcert=${rootCertificate}`;
  const home = openDatabase({ url: `postgres://home/lending?${files}`, name: 'test' });
  const further = openDatabase({ url: urlOf('north', () => new Map([['north', north]])), name: 'test' });
  expect(await reportedSettings()).toEqual([
    'DATABASE_URL sslcert',
    'DATABASE_URL sslrootcert',
    'PARTITION_DATABASE_URLS north sslrootcert',
  ]);
  await Promise.all([home.end(), further.end()]);
});
