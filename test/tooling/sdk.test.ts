/** What a caller installs works without the house, and its types say what the contract says. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type InstalledSdk, installSdk } from './installed-sdk.ts';

const project = join(import.meta.dirname, '..', '..');

let light: InstalledSdk;
let whole: InstalledSdk;
beforeAll(() => {
  light = installSdk({ withPeers: false });
  whole = installSdk({ withPeers: true });
}, 60_000);
afterAll(() => {
  light.remove();
  whole.remove();
});

function run(command: string, args: readonly string[], cwd: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd }, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, said: `${out}${err}`.trim() });
    });
  });
}

function evaluate(code: string, { folder }: InstalledSdk) {
  writeFileSync(join(folder, 'caller.mjs'), code);
  return run(process.execPath, ['caller.mjs'], folder);
}

describe('the package', () => {
  const first = `import { Lending } from 'lending-sdk';
    const lending = new Lending({ baseUrl: 'http://lending.example', tenant: 't', key: 'lsk_test_' });
    console.log(typeof lending.readLoan, typeof lending.receipts.batch);`;

  test('needs nothing beside its one dependency', async () => {
    expect(await evaluate(first, light)).toEqual({ code: 0, said: 'function function' });
  });

  test('asks whoever reads the topic for the drivers of it', async () => {
    const topic = `import { consumeBookEvents } from 'lending-sdk/events'; console.log(typeof consumeBookEvents);`;
    expect((await evaluate(topic, light)).said).toContain("Cannot find package 'avsc'");
    expect(await evaluate(topic, whole)).toEqual({ code: 0, said: 'function' });
  });

  test('opens no other door', async () => {
    expect((await evaluate(`import 'lending-sdk/dist/sending.js';`, light)).said).toContain(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });
});

describe('its types', () => {
  const begin = `import { Lending, LendingError, type Loan } from 'lending-sdk';
declare const lending: Lending;
`;
  const linesBefore = begin.split('\n').length - 1;

  /** What the compiler says of each line, of whatever a line says nothing of as well. */
  async function said(lines: readonly string[], { folder }: InstalledSdk): Promise<string[]> {
    const blocks = lines.map((line) => `{ ${line} }`);
    writeFileSync(join(folder, 'caller.mts'), `${begin}${blocks.join('\n')}\nexport { LendingError, type Loan };\n`);
    const strict = [
      '--strict',
      '--noEmit',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    const bare = ['--types', '', '--lib', 'ES2022,DOM,DOM.Iterable', '--ignoreConfig', '--pretty', 'false'];
    const compiler = join(project, 'node_modules', '.bin', 'tsc');
    const outcome = await run(compiler, [...strict, ...bare, 'caller.mts'], folder);
    const faults = lines.map(() => '');
    for (const fault of outcome.said === '' ? [] : outcome.said.split(/\n(?=\S)/)) {
      const [, line] = /^caller\.mts\((\d+),/.exec(fault) ?? [];
      faults[line === undefined ? lines.length : Number(line) - linesBefore - 1] = fault;
    }
    return faults;
  }

  test('say what the contract says', async () => {
    const lines = [
      // An answer has the members of its shape,
      'const loan: Loan = await lending.readLoan({ loan_id: "l" }); loan.state;',
      // a closed enumeration its members,
      'const { state } = await lending.readLoan({ loan_id: "l" }); state === "ceded";',
      // an open one may be any word,
      'const { events } = await lending.readFeed(); const kind: string = events[0]!.kind; kind;',
      // a listing gives its items,
      'for await (const { reference } of lending.each("listLoans", {})) reference.length;',
      // a refusal has its code, known or not.
      'const e: unknown = 0; if (e instanceof LendingError) e.code === "unknown_loan" || e.code === "to come";',
    ];
    expect(await said(lines, light)).toEqual(lines.map(() => ''));
  }, 60_000);

  test('refuse what the contract does not say', async () => {
    const lines = [
      ['const loan = await lending.readLoan({ loan_id: "l" }); loan.balance;', "'balance' does not exist"],
      ['const { state } = await lending.readLoan({ loan_id: "l" }); state === "open";', 'have no overlap'],
      ['await lending.readPaymentOptions({ client_id: "ada" });', "'on' is missing"],
      ['await lending.reverseReceipt({ receipt_reference: "r" }, { reason: "other" });', 'reference, actor, basis'],
      ['lending.each("readLoan", { loan_id: "l" });', '"readLoan"'],
    ] as const;
    const faults = await said(
      lines.map(([line]) => line),
      light,
    );
    expect(faults).toEqual(lines.map(([, fault]) => expect.stringContaining(fault)));
  }, 60_000);

  test('of the topic are complete where its drivers are installed', async () => {
    const types = join(whole.folder, 'node_modules', '@types');
    mkdirSync(types, { recursive: true });
    symlinkSync(join(project, 'node_modules', '@types', 'node'), join(types, 'node'));
    symlinkSync(join(project, 'node_modules', 'undici-types'), join(whole.folder, 'node_modules', 'undici-types'));
    const line = `const { consumeBookEvents } = await import('lending-sdk/events');
      const options: Parameters<typeof consumeBookEvents>[0] = undefined!;
      options.take = async ({ events, position }) => { const last: bigint = position.sequence; events[0]!.act?.actor; last; };`;
    expect(await said([line.replace('options.take =', 'const take: typeof options.take =')], whole)).toEqual(['']);
  }, 60_000);
});
