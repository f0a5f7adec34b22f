/** Clients and Receipts in and out of a Tenancy by the command line, its log of requests, and the checks of doctor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formatRemedy } from '#libs/cli/format-error.ts';
import { type CliResult, startCallerCommand } from '#test/support/cli-process.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
let folder: string;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  folder = mkdtempSync(join(tmpdir(), 'lending-transfers-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await lender.tenant.close();
});

const run = (...args: string[]): Promise<CliResult> => startCallerCommand(lender.tenant, ...args).result;

test('Clients of a CSV are registered once, an unreadable or refused line is named, and an export can be imported', async () => {
  const file = join(folder, 'clients.csv');
  writeFileSync(file, 'client_id,basis,context\nana,form,"{""score"":1.50}"\nluis,,\nno/name,form,\neva,form,none\n');
  const checked = await run('client', 'import', file, '--dry-run', '--json');
  expect([checked.code, JSON.parse(checked.out)]).toEqual([
    1,
    {
      readable: 2,
      unreadable: 2,
      faults: [
        { line: 3, error: expect.stringContaining('basis is empty') },
        { line: 5, error: 'context is not a JSON object' },
      ],
    },
  ]);

  const imported = await run('client', 'import', file, '--basis', 'branch', '--actor', 'maria', '--yes');
  expect(imported).toMatchObject({ code: 1, out: '2 Clients are registered, 1 refused, 1 lines cannot be read\n' });
  expect(imported.err).toMatch(/line 4: invalid_identifier of no\/name: \S.*\.\s/);
  expect(imported.err).toContain(formatRemedy('invalid_identifier').join('\n'));
  expect(imported.err).toContain('line 5: context is not a JSON object');
  expect(await lender.read('/clients/luis')).toMatchObject({ actor: 'maria', basis: 'branch' });

  const exported = join(folder, 'exported.csv');
  expect(await run('client', 'export', '--output', exported)).toMatchObject({ code: 0, out: '' });
  expect(readFileSync(exported, 'utf8')).toMatch(
    /^client_id,basis,actor,context,created_at\n(?:.*\n)*ana,form,maria,"\{/,
  );
  const again = await run('client', 'import', exported, '--yes');
  expect(again).toMatchObject({ code: 0, out: '2 Clients are registered, 0 refused, 0 lines cannot be read\n' });
  expect(await run('client', 'export', '--output', exported)).toMatchObject({ code: 2, out: '' });
});

test('exported Receipts can be posted again: none is recorded twice, and reversed ones are not posted', async () => {
  const client = await lender.client();
  await lender.loan(client);
  await lender.pay(client, 1_000_00, '2026-02-10', { reference: `=${client}`, context: { till: 7 } });
  await lender.pay(client, 500_00, '2026-02-11', { reference: `${client}-returned` });
  await lender.reverse(`${client}-returned`);
  const exported = join(folder, 'receipts.csv');
  expect((await run('receipts', 'export', '--output', exported)).code).toBe(0);
  const [head, ...rows] = readFileSync(exported, 'utf8').split('\n');
  const row = rows.find((each) => each.endsWith(',false'));
  expect(head).toMatch(/^reference,client_id,minor_units,currency,value_date,/);
  expect(row).toMatch(new RegExp(`,${client},100000,MXN,2026-02-10,`));
  expect(await run('receipts', 'post', exported)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 receipts: 0 recorded, 1 already recorded, 1 reversed and not posted, 0 refused'),
  });
  const lines = (await run('receipts', 'export', '--client', client, '--json')).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual((await lender.read(`/clients/${client}/receipts`)).receipts);
});

test('answered requests are followed, filtered and looked up', async () => {
  const followed = startCallerCommand(lender.tenant, 'tail', '--status', '404', '--json');
  const answer = await lender.tenant.get('/clients/unknown');
  await followed.waitForOutput(() => followed.lines.length > 0);
  const logged = JSON.parse(String(followed.lines[0]));
  expect(logged).toMatchObject({ route: 'readClient', status: 404, code: 'not_found' });
  expect(answer.status).toBe(404);
  followed.process.kill('SIGINT');
  expect((await followed.result).code).toBe(0);

  const shown = await run('request', 'show', logged.request_id, '--json');
  expect(JSON.parse(shown.out)).toEqual(logged);
  const unknown = await run('request', 'show', 'nothing');
  expect(unknown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('holds no request nothing') });
  await eventually(async () => (await run('tail', '--no-follow', '--lines', '1')).out.includes('readClient'));
});

test('the last request is shown although the log was read 200 times after it', async () => {
  expect((await lender.tenant.get('/bounds')).status).toBe(200);
  for (let count = 0; count < 200; count += 1) await lender.tenant.get('/requests?limit=1');
  await eventually(async () => {
    const { body } = await lender.tenant.get('/requests?route=listRequests&limit=200');
    return body.requests.length === 200;
  });
  const last = await run('tail', '--no-follow', '--lines', '1');
  expect(last).toMatchObject({ code: 0, out: expect.stringContaining(' readBounds ') });
});

test('the newest contract version is requested, and another one where it is stated', async () => {
  const target = `/v1/tenants/${lender.tenant.id}/bounds`;
  const refused = await run('call', 'GET', target, '--contract-version', '2020-01-01');
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('invalid_contract_version') });
  expect((await run('call', 'GET', target, '--contract-version', '2026-10-15')).code).toBe(0);
});

test('doctor finds nothing for a good caller, and says what is wrong with a bad one', async () => {
  const good = await run('doctor', '--json');
  expect(good).toMatchObject({ code: 0, err: '' });
  const names = ['Address', 'Service', 'Clock', 'Key', 'Tenancy', 'Signed read', 'Contract'];
  const checks: { check: string; ok: boolean }[] = JSON.parse(good.out);
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual(names.map((name) => [name, true]));

  const stranger = await run('doctor', '--tenant', 'unknown');
  expect(stranger).toMatchObject({ code: 1, out: expect.stringContaining('use --tenant or another key') });
});
