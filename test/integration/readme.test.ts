/** What the READMEs show as a first request is sent as it stands there. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { envFile } from '#deploy/start/dev-files.ts';
import { formatSecret } from '#libs/auth/secret.ts';
import { type InstalledSdk, installSdk } from '#test/tooling/installed-sdk.ts';
import { house, Tenant } from './tenant.ts';

const sdkReadme = join('libs', 'sdk', 'README.md');

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

/** What `npm start` leaves for whoever uses it, for this Tenancy. */
function left() {
  const secret = formatSecret({ environment: 'test', seed: tenant.signer.secretKey.subarray(0, 32) });
  return { LENDING_URL: house().services.baseUrl, LENDING_KEY: secret };
}

function run(args: readonly string[], cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  // Nothing of the machine's own: an environment file gives way to it.
  const { LENDING_URL: _url, LENDING_KEY: _key, ...others } = process.env;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env: { ...others, ...environment }, cwd }, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
  });
}

test('the request that is signed by hand is answered', async () => {
  const code = piece('README.md', '/v1/tenants/demo/bounds').replaceAll('/tenants/demo/', `/tenants/${tenant.id}/`);
  expect(await run(['--input-type=module', '-e', code], projectDir, left())).toMatch(/^200 \{"concurrent":/);
});

describe('the first request with the SDK', () => {
  let sdk: InstalledSdk;
  beforeAll(() => {
    sdk = installSdk({ withPeers: false });
  });
  afterAll(() => sdk.remove());

  /** Run as the README says to, from a folder beside the repository. */
  function runAsShown(file: string, code: string): Promise<string> {
    const folder = join(sdk.folder, 'app');
    const text = readFileSync(join(projectDir, file), 'utf8');
    const [, environmentFile = '', program = ''] = /^node --env-file=(\S+) (\S+)$/m.exec(text) ?? [];
    expect(environmentFile).toBe(`../lending/${relative(projectDir, envFile)}`);
    expect(text).toContain(`as \`${program}\``);
    const lines = Object.entries(left()).map(([name, value]) => `${name}=${value}\n`);
    for (const each of [folder, dirname(join(folder, environmentFile))]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, environmentFile), lines.join(''));
    expect(code).toContain("'demo'");
    writeFileSync(join(folder, program), code.replaceAll("'demo'", `'${tenant.id}'`));
    return run([`--env-file=${environmentFile}`, program], folder, {});
  }

  test.each(['README.md', sdkReadme])('is ten lines of %s and is answered', async (file) => {
    const code = piece(file, "from 'lending-sdk';");
    expect(code.split('\n').length).toBeLessThanOrEqual(10);
    expect(await runAsShown(file, code)).toContain("client_id: 'ada'");
  });

  test('is followed by a receipt, whose body comes first, and by a client of another patience', async () => {
    const pieces = ["from 'lending-sdk';", 'const hasty =', 'reportReceipt('].map((says) => piece(sdkReadme, says));
    const reads = `console.log((await hasty.readReceipt({ receipt_reference: 'from-app-1' })).receipt.reference);`;
    expect(await runAsShown(sdkReadme, [...pieces, reads].join('\n'))).toMatch(/^from-app-1$/m);
  });
});
