/** The README's first signed request is sent as it stands there. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { formatSecret } from '#libs/signing/secret.ts';
import { house, Tenant } from './tenant.ts';

test('the signed request of the README is answered', async () => {
  const tenant = await Tenant.open(house());
  try {
    const readme = readFileSync(join(projectDir, 'README.md'), 'utf8');
    const [, code = ''] = /```js\n([^`]*(?:`[^`]+`[^`]*)*?)\n```/.exec(readme) ?? [];
    expect(code).toContain('/v1/tenants/demo/bounds');
    const secret = formatSecret({ environment: 'test', seed: tenant.signer.secretKey.subarray(0, 32) });
    const env = { ...process.env, LENDING_URL: house().services.baseUrl, LENDING_KEY: secret };
    const said = await new Promise<string>((resolve, reject) => {
      const args = ['--input-type=module', '-e', code.replaceAll('/tenants/demo/', `/tenants/${tenant.id}/`)];
      execFile(process.execPath, args, { env }, (error, out) => (error === null ? resolve(out) : reject(error)));
    });
    expect(said).toMatch(/^200 \{"concurrent":/);
  } finally {
    await tenant.close();
  }
});
