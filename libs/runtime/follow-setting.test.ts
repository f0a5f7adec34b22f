/** Secrets and certificates that are replaced while the process runs. */
import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CertificateAuthority } from '#deploy/cluster/certificates.ts';
import { eventually } from '#test/support/tenant.ts';
import { secret, urlSetting } from './config.ts';
import { redisTls } from './connection-settings.ts';
import { followSetting, followTls, tlsOptions } from './follow-setting.ts';
import { type LogFields, silentLogger } from './logging.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-follow-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function observed() {
  const lines: LogFields[] = [];
  const note = (fields: LogFields) => void lines.push(fields);
  return { logger: { ...silentLogger, info: note, warn: note }, events: () => lines.map(({ event }) => event) };
}

const setting = secret(urlSetting('REDIS_URL', ['redis', 'rediss']));

describe('a secret', () => {
  test('of the environment stays as it is', () => {
    expect(followSetting({ REDIS_URL: 'redis://a' }, setting)()).toBe('redis://a');
  });

  test('of a file is that of the file at the time of the call', async () => {
    const { logger, events } = observed();
    const path = join(dir, 'url');
    writeFileSync(path, 'redis://:old@h\n');
    const url = followSetting({ REDIS_URL_FILE: path }, setting, logger);
    expect(url()).toBe('redis://:old@h');
    writeFileSync(`${path}.new`, 'redis://:renewed@h\n');
    renameSync(`${path}.new`, path);
    await eventually(async () => url() === 'redis://:renewed@h');
    expect(events()).toEqual(['settings.reloaded']);
  });

  test('that is mounted through a link follows the link', async () => {
    for (const name of ['one', 'two']) writeFileSync(join(dir, name), `redis://${name}`);
    const link = join(dir, 'link');
    symlinkSync(join(dir, 'one'), link);
    const url = followSetting({ REDIS_URL_FILE: link }, setting);
    expect(url()).toBe('redis://one');
    symlinkSync(join(dir, 'two'), `${link}.new`);
    renameSync(`${link}.new`, link);
    await eventually(async () => url() === 'redis://two');
  });

  test('that becomes invalid is not used, and its text is not logged', async () => {
    const { logger, events } = observed();
    const path = join(dir, 'broken');
    writeFileSync(path, 'redis://h');
    const url = followSetting({ REDIS_URL_FILE: path }, setting, logger);
    writeFileSync(path, 'opensesame');
    await eventually(async () => events().includes('settings.reload_failed'));
    expect(url()).toBe('redis://h');
  });
});

describe('certificates', () => {
  test('are replaced together with their key', async () => {
    const authority = await CertificateAuthority.open(join(dir, 'ca'));
    const [first, second] = await Promise.all([authority.issue('first'), authority.issue('second')]);
    const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
    copyFileSync(first.certificate, cert);
    copyFileSync(first.key, key);
    const env = { REDIS_URL: 'rediss://h', REDIS_CA: authority.file, REDIS_CERT: cert, REDIS_KEY: key };
    const { logger, events } = observed();
    const changes: unknown[] = [];
    const files = followTls(env, redisTls, logger, (changed) => changes.push(changed));
    const options = tlsOptions(files);
    const before = { ...options };
    copyFileSync(second.certificate, cert);
    await eventually(async () => events().includes('settings.reload_failed'));
    expect({ ...options }).toEqual(before);
    copyFileSync(second.key, key);
    await eventually(async () => events().includes('settings.reloaded'));
    expect(options.key).not.toBe(before.key);
    expect(options.cert).not.toBe(before.cert);
    expect(options.ca).toEqual(before.ca);
    expect(changes).toEqual([files()]);
  });
});
