/** What an address of Postgres says about its servers, without a connection. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CertificateAuthority } from '#deploy/cluster/certificates.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { PostgresServers } from './postgres-servers.ts';

test('the certificates that the address names are reported for as long as they are valid', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lending-servers-'));
  const authority = await CertificateAuthority.open(dir);
  const { certificate } = await authority.issue('service');
  const files = `sslmode=verify-full&sslrootcert=${authority.file}&sslcert=${certificate}`;
  new PostgresServers(
    `postgres://one:5432,two:5432/lending?target_session_attrs=read-write&${files}`,
  ).reportCertificates('DATABASE_URL');
  const metric = await metrics.getSingleMetric('lending_certificate_remaining_seconds')?.get();
  const reported = metric?.values.filter(({ value }) => value > 0).map(({ labels }) => labels['setting']);
  expect(reported).toEqual(['DATABASE_URL sslcert', 'DATABASE_URL sslrootcert']);
  rmSync(dir, { recursive: true });
});
