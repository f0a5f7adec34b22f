/** The first requests shown in the READMEs work as printed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { envFile, projectDir } from '#deploy/dev/dev-files.ts';
import { contract } from '#libs/api/contract-versions.ts';
import { codeBlock, sdkReadmes } from '#test/documentation/code-blocks.ts';
import { recordRun } from '#test/documentation/executed-code.ts';
import { callerEnvironment } from '#test/support/cli-process.ts';
import { authorization } from '#test/support/signed-request.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';
import { type InstalledSdk, installSdk } from '#test/tooling/installed-sdk.ts';

const sdkReadme = 'libs/sdk/README.md';
const firstLine = "import { Lending } from 'lending-sdk';";
const blockOfSdk = (beginning: string): string => codeBlock(sdkReadme, beginning);

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
});
afterAll(() => tenant.close());

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
  ['README.md', 'import { createHash'],
  ['docs/guide/signing.md', '// signed.mjs'],
])('the request signed by hand in %s is answered', async (file, beginning) => {
  const code = codeBlock(file, beginning).replaceAll('/tenants/demo/', `/tenants/${tenant.id}/`);
  expect(await run(['--input-type=module', '-e', code], projectDir, callerEnvironment(tenant))).toMatch(
    /^200 \{"concurrent":/,
  );
  recordRun(file, beginning);
});

/** The head and the body of the request as they are sent, and what is needed to send it now and here. */
function sendShownRequest(): Promise<string> {
  const [head = '', body = ''] = codeBlock('docs/guide/signing.md', 'POST /v1')
    .trim()
    .replace('/tenants/acme/', `/tenants/${tenant.id}/`)
    .split('\n\n');
  const [method = '', target = ''] = head.split(' ');
  const { hostname, port } = new URL(testEnvironment().services.baseUrl);
  const lines = [
    ...head.split('\n'),
    `Host: ${hostname}:${port}`,
    `Content-Length: ${body.length}`,
    `Authorization: ${authorization(tenant.signer, { method, target, body: Buffer.from(body) })}`,
    codeBlock('docs/guide/versions.md', 'Contract-Version: ').trim(),
    'Connection: close',
  ];
  const socket = connect(Number(port), hostname);
  // Not ended: the service drops the requests of a caller that has gone.
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return readText(socket);
}

test('the request of the guide to signing and the header of the guide to versions are accepted as they are written', async () => {
  await tenant.put('/clients/c-1', { actor: 'me', basis: 'application form' });
  const answer = await sendShownRequest();
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(answer.toLowerCase()).toContain(`\r\ncontract-version: ${contract.versions.at(-1)?.version}\r\n`);
  recordRun('docs/guide/signing.md', 'POST /v1');
  recordRun('docs/guide/versions.md', 'Contract-Version: ');
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
    const lines = Object.entries(callerEnvironment(tenant)).map(([name, value]) => `${name}=${value}\n`);
    for (const each of [folder, dirname(join(folder, environmentFile))]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, environmentFile), lines.join(''));
    writeFileSync(join(folder, program), code);
    return run([`--env-file=${environmentFile}`, program], folder, {});
  }

  test.each(['README.md', sdkReadme])('has at most ten lines in %s and is answered', async (file) => {
    const code = codeBlock(file, firstLine);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(await runAsShown(file, code)).toContain("client_id: 'rosa'");
    recordRun(file, firstLine);
  });

  test('is followed by a receipt and by a client with another timeout', async () => {
    const pieces = [firstLine, 'const hasty =', 'await lending.reportReceipt('].map(blockOfSdk);
    const reads = `console.log((await hasty.readReceipt({ receipt_reference: 'from-app-1' })).receipt.reference);`;
    expect(await runAsShown(sdkReadme, [...pieces, reads].join('\n'))).toMatch(/^from-app-1$/m);
    recordRun(sdkReadme, 'const hasty =', 'await lending.reportReceipt(');
  });

  test('is followed by a read that nothing has changed, a batch, and listings', async () => {
    const declarations = `function* readReceiptsFromSomewhere() {
        const receipt = { amount: { minor_units: 100, currency: 'MXN' }, value_date: '2026-02-15' };
        yield { ...receipt, reference: 'batch-1', client_id: 'rosa' };
        yield { ...receipt, reference: 'batch-2', client_id: 'nobody' };
      }`;
    const beginnings = ['const at =', 'new Lending({ onAnswer', 'for await (const { index', 'const { loans, cursor }'];
    const code = [blockOfSdk(firstLine), declarations, ...beginnings.map(blockOfSdk)].join('\n');
    const printed = await runAsShown(sdkReadme, code);
    expect(printed).toMatch(/^304$/m);
    expect(printed).toMatch(/^receipt 1, batch-2: unknown_client$/m);
    recordRun(sdkReadme, ...beginnings);
  });
});

test.each(sdkReadmes)('the position of %s is moved from the stored one alone', async (file) => {
  const client = new pg.Client({ connectionString: testEnvironment().stack.databaseUrl });
  await client.connect();
  try {
    await client.query(
      'CREATE TEMPORARY TABLE positions (partition int PRIMARY KEY, sequence bigint, next_offset bigint)',
    );
    const parts = codeBlock(file, 'INSERT INTO positions').split(/%s|\?/);
    const statement = parts.reduce((before, after, index) => `${before}$${index}${after}`);
    const move = async (to: number, before: number) => (await client.query(statement, [0, to, to, before])).rowCount;
    expect([await move(5, 0), await move(7, 5), await move(9, 5)]).toEqual([1, 1, 0]);
    recordRun(file, 'INSERT INTO positions');
  } finally {
    await client.end();
  }
});
