/** The metric that shows for how long the certificates in use are valid. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportAuthorities, reportCertificate } from './certificate-expiry.ts';
import { redisTls } from './connection-settings.ts';
import { followTls } from './follow-setting.ts';
import { metrics } from './metrics-registry.ts';

let dir: string;
let [nextDay, nextWeek] = ['', ''];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-expiry-'));
  [nextDay, nextWeek] = [issue('day', 1), issue('week', 7)];
});
afterAll(() => rmSync(dir, { recursive: true }));

/** A certificate and its key, in files of this name. */
function issue(name: string, days: number): string {
  const [cert, key] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)];
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  const args = ['req', '-x509', '-new', ...keyOptions, '-subj', `/CN=${name}`, '-days', String(days), '-out', cert];
  execFileSync('openssl', args, { stdio: 'pipe' });
  return readFileSync(cert, 'utf8');
}

async function remainingSeconds(setting: string): Promise<number | undefined> {
  const metric = await metrics.getSingleMetric('lending_certificate_remaining_seconds')?.get();
  return metric?.values.find(({ labels }) => labels['setting'] === setting)?.value;
}

async function expectExpiryOf(setting: string, pem: string): Promise<void> {
  const expiresAt = new X509Certificate(pem).validToDate.getTime();
  const before = Date.now();
  const remainingMs = ((await remainingSeconds(setting)) ?? Number.NaN) * 1_000;
  expect(remainingMs).toBeLessThanOrEqual(expiresAt - before);
  expect(remainingMs).toBeGreaterThanOrEqual(expiresAt - Date.now());
}

test('the certificate and the authority of a connection are reported', async () => {
  const file = (name: string): string => join(dir, name);
  const env = { REDIS_URL: 'rediss://h', REDIS_CA: file('week.crt'), REDIS_CERT: file('day.crt') };
  followTls({ ...env, REDIS_KEY: file('day.key') }, redisTls);
  await expectExpiryOf('REDIS_CERT', nextDay);
  await expectExpiryOf('REDIS_CA', nextWeek);
  expect(await remainingSeconds('REDIS_KEY')).toBeUndefined();
});

test('a chain is valid until its first certificate expires, and authorities until the last one', async () => {
  reportCertificate('chain', () => nextWeek + nextDay);
  reportAuthorities('authorities', () => nextDay + nextWeek);
  await expectExpiryOf('chain', nextDay);
  await expectExpiryOf('authorities', nextWeek);
});

test('a setting without a certificate, and one that cannot be read, have no value, and others have theirs', async () => {
  const broken = join(dir, 'broken');
  writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  reportCertificate('none', () => undefined);
  reportCertificate('broken', () => readFileSync(broken, 'utf8'));
  reportCertificate('absent', () => readFileSync(join(dir, 'absent'), 'utf8'));
  reportCertificate('valid', () => nextDay);
  for (const setting of ['none', 'broken', 'absent']) expect(await remainingSeconds(setting)).toBeUndefined();
  await expectExpiryOf('valid', nextDay);
});
