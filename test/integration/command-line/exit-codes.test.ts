/** Every documented exit code, by processes that end with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { exitCodes } from '#libs/cli/exit-codes.ts';
import { CliProcess, type CliResult, callerEnvironment } from '#test/support/cli-process.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lending-exit-codes-'));
  tenant = await Tenant.open(testEnvironment());
  await tenant.put('/clients/ada', { actor: 'test', basis: 'test' });
  const fileOf = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), lines.join('\n'));
  fileOf('receipts.csv', 'reference,client_id,minor_units,currency,value_date', 'r-1,ada,10000,MXN,2026-02-16');
  fileOf('refused.csv', 'reference,client_id,minor_units,currency,value_date', 'r-2,ada,0,MXN,2026-02-16');
  fileOf('unreadable.csv', 'reference,client_id,minor_units,currency,value_date', 'r-3,ada,ten,MXN,2026-02-16');
  fileOf('clients.csv', 'client_id,basis', 'eva,form');
  fileOf('wrong-clients.csv', 'client_id,basis', 'no/name,form');
  fileOf('evidence.json', '{}');
});
afterAll(async () => {
  await tenant.close();
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly line: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Pressed as Ctrl-C once this is printed. */
  readonly until?: RegExp;
}

const runs: Readonly<Record<number, readonly Run[]>> = {
  0: [
    { line: '--help' },
    { line: 'doctor' },
    { line: 'call GET /v1/tenants/TENANCY/bounds', env: { LENDING_TENANT: 'other' } },
    { line: 'client show ada --on 2026-03-01' },
    { line: 'client show ada --on 2026-03-01 --tenant TENANCY', env: { LENDING_TENANT: 'other' } },
    { line: 'client import clients.csv --yes' },
    { line: 'receipts post receipts.csv' },
    { line: 'key list TENANCY' },
    { line: 'prepare' },
    { line: 'tenancy close TENANCY --basis why --dry-run' },
    { line: 'tail --lines 1', until: /\n/ },
  ],
  1: [
    { line: 'call GET /v1/tenants/TENANCY/clients/unknown' },
    { line: 'call GET /v1/tenants/TENANCY/bounds', env: { LENDING_URL: 'http://127.0.0.1:1' } },
    { line: 'doctor --tenant other' },
    { line: 'client show unknown --on 2026-03-01' },
    { line: 'receipts export --client unknown' },
    { line: 'client import wrong-clients.csv --yes' },
    { line: 'client import none.csv' },
    { line: 'receipts post refused.csv' },
    { line: 'receipts post unreadable.csv --dry-run' },
    { line: 'request show unknown' },
    { line: 'tail', env: { LENDING_TENANT: 'other' } },
    { line: 'verify-evidence evidence.json' },
    { line: 'tenancy show unknown' },
    { line: 'key rotate TENANCY unknown' },
    { line: 'book release TENANCY c/ada --basis why --dry-run' },
    { line: 'key list TENANCY', env: { DATABASE_URL: 'postgres://127.0.0.1:1/lending' } },
    { line: 'tenancy open other --jurisdiction US' },
  ],
  2: [
    { line: 'kye list TENANCY' },
    { line: 'key list' },
    { line: 'client show ada --on today' },
    { line: 'tail --profile none' },
    { line: 'call GET /livez', env: { LENDING_KEY: '' } },
    { line: 'key list TENANCY', env: { DATABASE_URL: '' } },
    { line: 'key revoke TENANCY --all' },
    { line: 'client import clients.csv' },
    { line: 'receipts post receipts.txt' },
  ],
  130: [{ line: 'key rotate TENANCY KEY --overlap 1h --yes', until: /Leave this command running/ }],
};

test('each documented code has a run that ends with it', () => {
  expect(Object.keys(runs).map(Number)).toEqual(exitCodes.map(({ code }) => code));
});

async function end(line: string, { env, until }: Run): Promise<CliResult> {
  const typed = line.replace('TENANCY', tenant.id).replace('KEY', tenant.signer.fp);
  const words = typed.split(' ').map((word) => (/\.(csv|json|txt)$/.test(word) ? join(folder, word) : word));
  const addresses = { ...operatorEnvironment(testEnvironment().stack), ...callerEnvironment(tenant) };
  const command = new CliProcess(words, { ...addresses, ...env });
  if (until !== undefined) {
    await command.waitForOutput(() => until.test(command.out + command.err));
    command.process.kill('SIGINT');
  }
  return command.result;
}

describe.each(Object.entries(runs))('exit code %s', (code, ofCode) => {
  test.each(ofCode.map((run) => [run.line, run] as const))('%s', async (line, run) => {
    expect(await end(line, run)).toMatchObject({ code: Number(code) });
  });

  // Help is text, and what tail prints are several documents.
  const withDocument = ofCode.filter(({ line }) => line !== '--help' && line !== 'tail --lines 1');
  test.each(withDocument.map((run) => [`${run.line} --json`, run] as const))('%s', async (line, run) => {
    const { code: ended, out, err } = await end(line, run);
    expect(ended).toBe(Number(code));
    // Without a result the error is the last line.
    const document = JSON.parse(out === '' ? String(err.trimEnd().split('\n').at(-1)) : out);
    if (out === '') expect(document).toMatchObject({ error: expect.stringMatching(/./), exit_code: ended });
  });
});
