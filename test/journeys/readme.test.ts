/** What the READMEs show as a first request is sent as it stands there. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { formatSecret } from '#libs/signing/secret.ts';
import { type InstalledSdk, installSdk } from '#test/tooling/installed-sdk.ts';
import { house, Tenant } from './tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(house());
});
afterAll(() => tenant.close());

/** The one piece of a README's JavaScript that says this. */
function piece(file: string, says: string): string {
  const text = readFileSync(join(projectDir, file), 'utf8');
  const pieces = [...text.matchAll(/```js\n([\s\S]*?)\n```/g)].map(([, code = '']) => code);
  const [found, ...others] = pieces.filter((code) => code.includes(says));
  if (found === undefined || others.length > 0) throw new Error(`${file} says ${says} not once`);
  return found;
}

function run(args: readonly string[], cwd: string): Promise<string> {
  const secret = formatSecret({ environment: 'test', seed: tenant.signer.secretKey.subarray(0, 32) });
  const env = { ...process.env, LENDING_URL: house().services.baseUrl, LENDING_KEY: secret };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, cwd }, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
}

test('the request that is signed by hand is answered', async () => {
  const code = piece('README.md', '/v1/tenants/demo/bounds').replaceAll('/tenants/demo/', `/tenants/${tenant.id}/`);
  expect(await run(['--input-type=module', '-e', code], projectDir)).toMatch(/^200 \{"concurrent":/);
});

describe('the first request with the SDK', () => {
  let sdk: InstalledSdk;
  beforeAll(() => {
    sdk = installSdk({ withPeers: false });
  });
  afterAll(() => sdk.remove());

  test.each(['README.md', join('libs', 'sdk', 'README.md')])('is ten lines of %s and is answered', async (file) => {
    const code = piece(file, 'new Lending(');
    expect(code.split('\n').length).toBeLessThanOrEqual(10);
    expect(code).toContain("'demo'");
    writeFileSync(join(sdk.folder, 'first.mjs'), code.replace("'demo'", `'${tenant.id}'`));
    expect(await run(['first.mjs'], sdk.folder)).toContain("client_id: 'ada'");
  });
});
