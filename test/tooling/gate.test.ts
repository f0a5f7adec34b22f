/** The gate is trusted because each of its tools is seen here to stop what it is there to stop. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '..', '..');
const configuration = [
  'package.json',
  'tsconfig.json',
  'biome.json',
  'knip.json',
  '.dependency-cruiser.mjs',
  '.gitignore',
  'libs/sdk/tsconfig.json',
];

/** A house of a few files beside the real one, so that nothing is planted where people work. */
const clean: Readonly<Record<string, string>> = {
  'libs/money/minor.ts': 'export const zero = 0n;\n',
  'libs/store/pool.ts': "import pg from 'pg';\n\nexport const pool = new pg.Pool();\n",
  'libs/book/loan.ts': "import { zero } from '#libs/money/minor.ts';\n\nexport const owed = zero;\n",
  'libs/book/acts/issue.ts': "import { owed } from '../loan.ts';\n\nexport const issue = owed;\n",
  'libs/book/acts/write-off.ts': "import { owed } from '../loan.ts';\n\nexport const writeOff = owed;\n",
  'libs/sdk/src/line.ts': "import nacl from 'tweetnacl';\n\nexport const line = nacl;\n",
  'libs/sdk/src/client.ts': "import { line } from './line.ts';\n\nexport const client = line;\n",
  'services/query/main.ts':
    "import { issue } from '#libs/book/acts/issue.ts';\nimport { writeOff } from '#libs/book/acts/write-off.ts';\n" +
    "import { client } from '#libs/sdk/src/client.ts';\nimport { pool } from '#libs/store/pool.ts';\n\n" +
    'console.log(issue, writeOff, client, pool);\n',
  'test/given.ts': "import { owed } from '#libs/book/loan.ts';\n\nexport const given = owed;\n",
  'test/owed.test.ts':
    "import { expect, test } from '@jest/globals';\nimport fc from 'fast-check';\nimport { given } from './given.ts';\n\n" +
    "test('nothing is owed', () => {\n  fc.assert(fc.property(fc.nat(), () => expect(given).toBe(0n)));\n});\n",
  'services/ingress/main.ts': "import { owed } from '#libs/book/loan.ts';\n\nconsole.log(owed);\n",
};

let house: string;

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'lending-gate-'));
  symlinkSync(join(project, 'node_modules'), join(house, 'node_modules'));
  for (const folder of ['libs/sdk', 'services', 'deploy', 'test']) mkdirSync(join(house, folder), { recursive: true });
  for (const file of configuration) cpSync(join(project, file), join(house, file));
  for (const [file, text] of Object.entries(clean)) plant(file, text);
  plantPackage();
});

function plantPackage(): void {
  const real = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Package;
  plant('package.json', `${JSON.stringify(packageOf(real), null, 2)}\n`);
}

type Package = { readonly [part in 'scripts' | 'dependencies' | 'devDependencies']: Record<string, string> };

/** The real one without what only the real house has a use for: knip would rightly find that nobody uses it here. */
function packageOf(real: Package): Package {
  const only = (from: Record<string, string>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? '']));
  return {
    ...real,
    scripts: only(real.scripts, Object.values(scripts)),
    dependencies: only(real.dependencies, ['pg', 'tweetnacl']),
    devDependencies: only(real.devDependencies, [...tools, '@types/jest', 'jest', '@jest/globals', 'fast-check']),
  };
}

afterAll(() => rmSync(house, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
}

const tools = ['typescript', '@biomejs/biome', 'knip', 'dependency-cruiser'];
const scripts = { types: 'types', biome: 'lint', knip: 'unused', borders: 'borders' } as const;

function run(tool: keyof typeof scripts): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', scripts[tool]], { cwd: house, maxBuffer: 1 << 24 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, said: `${out}${err}` });
    });
  });
}

test.each(['types', 'biome', 'knip', 'borders'] as const)(
  'a clean house passes %s',
  async (tool) => {
    expect(await run(tool)).toMatchObject({ code: 0 });
  },
  60_000,
);

type Planted = readonly [title: string, tool: keyof typeof scripts, file: string, text: string, said: string];

const planted: readonly Planted[] = [
  ['a type that does not fit', 'types', 'libs/money/bad.ts', "export const n: number = 'one';\n", 'TS2322'],
  [
    'an index taken for certain',
    'types',
    'libs/money/bad.ts',
    'export const n = (a: number[]): number => a[0];\n',
    'TS2322',
  ],
  ['syntax Node cannot strip', 'types', 'libs/money/bad.ts', 'export enum Side {\n  Debit,\n}\n', 'TS1294'],
  [
    'a clock in a pure library',
    'biome',
    'libs/money/bad.ts',
    'export const now = () => Date.now();\n',
    'noRestrictedGlobals',
  ],
  [
    'a dice in a pure library',
    'biome',
    'libs/book/bad.ts',
    'export const roll = () => Math.random();\n',
    'noJsRestrictedProperties',
  ],
  [
    'the process in a pure library',
    'biome',
    'libs/credit/bad.ts',
    'export const env = process.env;\n',
    'noRestrictedGlobals',
  ],
  [
    'Node in a pure library',
    'biome',
    'libs/tenancy/bad.ts',
    "import { readFileSync } from 'node:fs';\n\nexport const read = readFileSync;\n",
    'noNodejsModules',
  ],
  [
    'a promise nobody awaits',
    'biome',
    'libs/log/bad.ts',
    'async function send(): Promise<void> {}\nexport function go(): void {\n  send();\n}\n',
    'noFloatingPromises',
  ],
  ['a default export', 'biome', 'libs/log/bad.ts', 'const one = 1;\nexport default one;\n', 'noDefaultExport'],
  ['a barrel', 'biome', 'libs/money/bad.ts', "export { zero } from './minor.ts';\n", 'noBarrelFile'],
  ['a file out of form', 'biome', 'libs/log/bad.ts', 'export const  one = "1"\n', 'format'],
  [
    'an import without its ending',
    'biome',
    'libs/money/bad.ts',
    "import { zero } from './minor';\n\nexport const nil = zero;\n",
    'useImportExtensions',
  ],
  [
    'the machine in the contract',
    'biome',
    'libs/contract/bad.ts',
    'export const zones = Intl.supportedValuesOf;\n',
    'noRestrictedGlobals',
  ],
  [
    'a clock by way of an event in a pure library',
    'biome',
    'libs/money/bad.ts',
    "export const now = () => new Event('x').timeStamp;\n",
    'noRestrictedGlobals',
  ],
  [
    'what a number looks like on this machine in a pure library',
    'biome',
    'libs/money/bad.ts',
    'export const shown = (n: number): string => n.toLocaleString();\n',
    'noJsRestrictedProperties',
  ],
  ['a file nobody uses', 'knip', 'libs/log/bad.ts', 'export const one = 1;\n', 'libs/log/bad.ts'],
  [
    'what a file offers to nobody',
    'knip',
    'test/given.ts',
    "import { owed } from '#libs/book/loan.ts';\n\nexport const given = owed;\nexport const taken = 1;\n",
    'taken',
  ],
  [
    'a package nobody lists',
    'knip',
    'services/query/main.ts',
    "import express from 'express';\n\nconsole.log(express);\n",
    'Unlisted dependencies',
  ],
  [
    'an act that imports another',
    'borders',
    'libs/book/acts/bad.ts',
    "export { issue } from './issue.ts';\n",
    'acts-stand-alone',
  ],
  [
    'a driver in a pure library',
    'borders',
    'libs/money/bad.ts',
    "import pg from 'pg';\n\nexport const p = pg;\n",
    'pure-imports-pure',
  ],
  [
    'the store in a pure library',
    'borders',
    'libs/credit/bad.ts',
    "import { pool } from '#libs/store/pool.ts';\n\nexport const p = pool;\n",
    'pure-imports-pure',
  ],
  [
    'the service in the SDK',
    'borders',
    'libs/sdk/src/bad.ts',
    "import { zero } from '#libs/money/minor.ts';\n\nexport const z = zero;\n",
    'sdk-is-a-guest',
  ],
  [
    'the drivers of the topic in the client of the SDK',
    'borders',
    'libs/sdk/src/bad.ts',
    "import avsc from 'avsc';\n\nexport const a = avsc;\n",
    'sdk-installs-light',
  ],
  [
    'a service that needs another',
    'borders',
    'services/ingress/bad.ts',
    "import '../query/main.ts';\n",
    'services-scale-apart',
  ],
  [
    'the store in the contract',
    'borders',
    'libs/contract/bad.ts',
    "import { pool } from '#libs/store/pool.ts';\n\nexport const p = pool;\n",
    'contract-is-pure',
  ],
  [
    'chance in the contract',
    'borders',
    'libs/contract/bad.ts',
    "import { v4 } from 'uuid';\n\nexport const id = v4;\n",
    'contract-is-pure',
  ],
  [
    'what is only for tests in a service',
    'borders',
    'services/query/bad.ts',
    "import { given } from '#test/given.ts';\n\nexport const g = given;\n",
    'tests-are-not-code',
  ],
  [
    "the registry's client outside its port",
    'borders',
    'libs/log/bad.ts',
    "import sr from '@confluentinc/schemaregistry';\n\nexport const s = sr;\n",
    'registry-behind-its-port',
  ],
  [
    'a library that needs a service',
    'borders',
    'libs/log/bad.ts',
    "import '#services/query/main.ts';\n",
    'libs-know-no-service',
  ],
  [
    'the Kafka client outside its port',
    'borders',
    'services/query/bad.ts',
    "import kjs from 'kafkajs';\n\nexport const k = kjs;\n",
    'kafka-behind-its-port',
  ],
  [
    'a database driver outside its port',
    'borders',
    'services/query/bad.ts',
    "import pg from 'pg';\n\nexport const p = pg;\n",
    'databases-behind-their-port',
  ],
  [
    'a development dependency in a service',
    'borders',
    'services/query/bad.ts',
    "import fc from 'fast-check';\n\nexport const f = fc;\n",
    'nothing-of-development-in-production',
  ],
  [
    'an import that leads nowhere',
    'borders',
    'libs/log/bad.ts',
    "import { x } from '#libs/log/gone.ts';\n\nexport const y = x;\n",
    'found',
  ],
];

describe('the gate stops', () => {
  test.each(planted)(
    '%s',
    async (_title, tool, file, text, said) => {
      plant(file, text);
      try {
        const outcome = await run(tool);
        expect(outcome.code).toBe(1);
        expect(outcome.said).toContain(said);
      } finally {
        const before = clean[file];
        if (before === undefined) rmSync(join(house, file));
        else plant(file, before);
      }
    },
    60_000,
  );

  test('two files that need each other', async () => {
    plant('libs/log/bad.ts', "import { b } from './worse.ts';\n\nexport const a = () => b;\n");
    plant('libs/log/worse.ts', "import { a } from './bad.ts';\n\nexport const b = () => a;\n");
    try {
      expect((await run('borders')).said).toContain('no-cycles');
    } finally {
      rmSync(join(house, 'libs/log/bad.ts'));
      rmSync(join(house, 'libs/log/worse.ts'));
    }
  }, 60_000);
});
