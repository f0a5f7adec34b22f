/** The built SDK works on its own, and its types match the contract. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocksOf } from '#test/documentation/code-blocks.ts';
import { type InstalledSdk, installSdk } from './installed-sdk.ts';

const project = join(import.meta.dirname, '..', '..');

let withoutPeers: InstalledSdk;
let withPeers: InstalledSdk;
beforeAll(() => {
  withoutPeers = installSdk({ withPeers: false });
  withPeers = installSdk({ withPeers: true });
}, 240_000);
afterAll(() => {
  withoutPeers.remove();
  withPeers.remove();
});

function run(command: string, args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd }, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, output: `${out}${err}`.trim() });
    });
  });
}

function evaluate(code: string, { folder }: InstalledSdk, file = 'caller.mjs') {
  writeFileSync(join(folder, file), code);
  return run(process.execPath, [file], folder);
}

const secret = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

describe('the package', () => {
  const first = `import { Lending } from 'lending-sdk';
    const lending = new Lending({ baseUrl: 'http://lending.example', tenant: 't', key: '${secret}' });
    console.log(typeof lending.readLoan, typeof lending.receipts.batch);`;

  test('needs only its one dependency', async () => {
    expect(await evaluate(first, withoutPeers)).toEqual({ code: 0, output: 'function function' });
  });

  test('needs the Kafka drivers only for its events module', async () => {
    const topic = `import { consumeBookEvents } from 'lending-sdk/events'; console.log(typeof consumeBookEvents);`;
    expect((await evaluate(topic, withoutPeers)).output).toContain("Cannot find package 'avsc'");
    expect(await evaluate(topic, withPeers)).toEqual({ code: 0, output: 'function' });
  });

  test('is used by CommonJS as well, with the same names', async () => {
    const names = `console.log(Object.keys(sdk).sort().join(), typeof new sdk.Lending({ baseUrl: 'http://lending.example',
      tenant: 't', key: '${secret}' }).readLoan);`;
    const required = await evaluate(`const sdk = require('lending-sdk'); ${names}`, withoutPeers, 'caller.cjs');
    expect(required).toEqual(await evaluate(`import * as sdk from 'lending-sdk'; ${names}`, withoutPeers));
    expect(required.output).toMatch(/Lending,LendingError,RefusalError,UnreachableError,.* function$/);
    const topic = `console.log(typeof require('lending-sdk/events').consumeBookEvents);`;
    expect(await evaluate(topic, withPeers, 'caller.cjs')).toEqual({ code: 0, output: 'function' });
  });

  test('signs by its dependency in CommonJS, too', async () => {
    const code = `const { openSigner } = require('lending-sdk');
      crypto.subtle.importKey = async () => { throw new Error('not supported'); };
      openSigner('${secret}').then(({ fp }) => console.log(fp));`;
    expect((await evaluate(code, withoutPeers, 'caller.cjs')).output).toBe('21fe31dfa154a261626bf854046fd227');
  });

  test('exports no other module', async () => {
    expect((await evaluate(`import 'lending-sdk/dist/http-client.js';`, withoutPeers)).output).toContain(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });
});

describe('the types', () => {
  const header = `import { Lending, RefusalError, type Loan } from 'lending-sdk';
declare const lending: Lending;
`;
  const linesBefore = header.split('\n').length - 1;

  /** The compiler's error for each line, and any other error at the end. */
  async function compileErrors(
    lines: readonly string[],
    { folder }: InstalledSdk,
    file = 'caller.mts',
  ): Promise<string[]> {
    const blocks = lines.map((line) => `{ ${line} }`);
    writeFileSync(join(folder, file), `${header}${blocks.join('\n')}\nexport { RefusalError, type Loan };\n`);
    const strict = [
      '--strict',
      '--noEmit',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    const environment = ['--types', '', '--lib', 'ES2022,DOM,DOM.Iterable', '--ignoreConfig', '--pretty', 'false'];
    const compiler = join(project, 'node_modules', '.bin', 'tsc');
    const result = await run(compiler, [...strict, ...environment, file], folder);
    const errors = lines.map(() => '');
    for (const error of result.output === '' ? [] : result.output.split(/\n(?=\S)/)) {
      const [, line] = /^caller\.[cm]ts\((\d+),/.exec(error) ?? [];
      errors[line === undefined ? lines.length : Number(line) - linesBefore - 1] = error;
    }
    return errors;
  }

  test('accept what the contract has', async () => {
    const lines = [
      // A response has the fields of its schema.
      'const loan: Loan = await lending.readLoan({ loan_id: "l" }); loan.state;',
      // A closed enumeration has its values.
      'const { state } = await lending.readLoan({ loan_id: "l" }); state === "ceded";',
      // An open one may be any string.
      'const { events } = await lending.readFeed(); const kind: string = events[0]!.kind; kind;',
      // A listing yields its items, and awaited its first page.
      'for await (const { reference } of lending.listLoans({ state: "active" })) reference.length;',
      'const { loans, cursor } = await lending.listLoans(); loans.length; cursor?.length;',
      'for await (const { currencies } of lending.readMerchantBook({ merchant_ref: "m", on: "2026-03-20" }).pages()) currencies;',
      'for await (const { reference } of lending.each("listLoans", {})) reference.length;',
      // A refusal has a code, known or not.
      'const e: unknown = 0; if (e instanceof RefusalError) e.code === "unknown_loan" || e.code === "to come";',
    ];
    expect(await compileErrors(lines, withoutPeers)).toEqual(lines.map(() => ''));
    const ofCommonjs = ['const read = async (): Promise<Loan> => lending.readLoan({ loan_id: "l" }); read;'];
    expect(await compileErrors(ofCommonjs, withoutPeers, 'caller.cts')).toEqual(['']);
  }, 240_000);

  test('refuse what the contract does not have', async () => {
    const lines = [
      ['const loan = await lending.readLoan({ loan_id: "l" }); loan.balance;', "'balance' does not exist"],
      ['const { state } = await lending.readLoan({ loan_id: "l" }); state === "open";', 'have no overlap'],
      ['await lending.readPaymentOptions({ client_id: "ada" });', "'on' is missing"],
      ['await lending.reverseReceipt({ receipt_reference: "r" }, { reason: "other" });', 'reference, actor, basis'],
      ['lending.each("readLoan", { loan_id: "l" });', '"readLoan"'],
    ] as const;
    const errors = await compileErrors(
      lines.map(([line]) => line),
      withoutPeers,
    );
    expect(errors).toEqual(lines.map(([, error]) => expect.stringContaining(error)));
  }, 240_000);

  test('of the events module are complete where the drivers are installed', async () => {
    const types = join(withPeers.folder, 'node_modules', '@types');
    mkdirSync(types, { recursive: true });
    symlinkSync(join(project, 'node_modules', '@types', 'node'), join(types, 'node'));
    symlinkSync(join(project, 'node_modules', 'undici-types'), join(withPeers.folder, 'node_modules', 'undici-types'));
    const line = `const { consumeBookEvents } = await import('lending-sdk/events');
      const options: Parameters<typeof consumeBookEvents>[0] = undefined!;
      const take: typeof options.take = async ({ events, position }) => { const last: bigint = position.sequence; events[0]!.act?.actor; last; };`;
    const movements = `const { consumeMovements } = await import('lending-sdk/events');
      const options: Parameters<typeof consumeMovements>[0] = undefined!;
      const take: typeof options.take = async ({ movements }) => { const sum: bigint = movements[0]!.loans[0]!.added[0]!.amount; sum; };`;
    const declared = `const { database, positionsOf, keep, keepLines }: { keep(batch: object): Promise<void>;
      positionsOf: Parameters<typeof import('lending-sdk/events').consumeMovements>[0]['positionsOf'];
      database: { query(text: string, values: readonly unknown[]): Promise<{ rows: any[] }> };
      keepLines(lines: readonly { loan_id: string; day: string; owed: bigint }[], batch: object): Promise<void> } = undefined!;`;
    // An import is no statement of a block.
    const readme = codeBlocksOf('libs/sdk/README.md')
      .filter(({ code }) => /^await consume/m.test(code))
      .map(({ code }) => `${declared} ${code.replaceAll(/import (.*) from (.*);/g, 'const $1 = await import($2);')}`);
    expect(readme).toHaveLength(2);
    const programs = [line, movements, ...readme].map((each) =>
      each.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/\n\s*/g, ' '),
    );
    expect(await compileErrors(programs, withPeers)).toEqual(['', '', '', '']);
  }, 240_000);
});
