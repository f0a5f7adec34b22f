/** The first requests shown in the READMEs work as printed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { envFile, projectDir } from '#deploy/dev/dev-files.ts';
import { formatSecret } from '#libs/auth/signer.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';
import { type InstalledSdk, installSdk } from '#test/tooling/installed-sdk.ts';

const sdkReadme = join('libs', 'sdk', 'README.md');

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
});
afterAll(() => tenant.close());

/** The only JavaScript block of a README that contains this text. */
function codeBlock(file: string, contains: string): string {
  const text = readFileSync(join(projectDir, file), 'utf8');
  const pieces = [...text.matchAll(/```js\n([\s\S]*?)\n```/g)].map(([, code = '']) => code);
  const [found, ...others] = pieces.filter((code) => code.includes(contains));
  if (found === undefined || others.length > 0) throw new Error(`${file} contains ${contains} not once`);
  return found;
}

/** The variables that `npm start` writes to the environment file, for this Tenancy. */
function environmentVariables() {
  const secret = formatSecret({ environment: 'test', seed: tenant.signer.secretKey.subarray(0, 32) });
  return { LENDING_URL: testEnvironment().services.baseUrl, LENDING_TENANT: tenant.id, LENDING_KEY: secret };
}

function run(args: readonly string[], cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  // Variables that are set take precedence over an environment file.
  const { LENDING_URL: _url, LENDING_TENANT: _tenant, LENDING_KEY: _key, ...others } = process.env;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env: { ...others, ...environment }, cwd }, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
  });
}

test.each([
  ['README.md', '/v1/tenants/demo/bounds'],
  [join('docs', 'guide', 'signing.md'), '// signed.mjs'],
])('the request signed by hand in %s is answered', async (file, contains) => {
  const code = codeBlock(file, contains).replaceAll('/tenants/demo/', `/tenants/${tenant.id}/`);
  expect(await run(['--input-type=module', '-e', code], projectDir, environmentVariables())).toMatch(
    /^200 \{"concurrent":/,
  );
});

describe('the first request with the SDK', () => {
  let sdk: InstalledSdk;
  beforeAll(() => {
    sdk = installSdk({ withPeers: false });
  });
  afterAll(() => sdk.remove());

  /** Runs it as the README says, from a folder next to the repository. */
  function runAsShown(file: string, code: string): Promise<string> {
    const folder = join(sdk.folder, 'app');
    const text = readFileSync(join(projectDir, file), 'utf8');
    const [, environmentFile = '', program = ''] = /^node --env-file=(\S+) (\S+)$/m.exec(text) ?? [];
    expect(environmentFile).toBe(`../lending/${relative(projectDir, envFile)}`);
    expect(text.toLowerCase()).toContain(`as \`${program}\``);
    const lines = Object.entries(environmentVariables()).map(([name, value]) => `${name}=${value}\n`);
    for (const each of [folder, dirname(join(folder, environmentFile))]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, environmentFile), lines.join(''));
    writeFileSync(join(folder, program), code);
    return run([`--env-file=${environmentFile}`, program], folder, {});
  }

  test.each(['README.md', sdkReadme])('has at most ten lines in %s and is answered', async (file) => {
    const code = codeBlock(file, "from 'lending-sdk';");
    expect(code.split('\n').length).toBeLessThanOrEqual(10);
    expect(await runAsShown(file, code)).toContain("client_id: 'rosa'");
  });

  test('is followed by a receipt and by a client with another timeout', async () => {
    const pieces = ["from 'lending-sdk';", 'const hasty =', 'reportReceipt('].map((contains) =>
      codeBlock(sdkReadme, contains),
    );
    const reads = `console.log((await hasty.readReceipt({ receipt_reference: 'from-app-1' })).receipt.reference);`;
    expect(await runAsShown(sdkReadme, [...pieces, reads].join('\n'))).toMatch(/^from-app-1$/m);
  });
});
