/** Every sample of the documentation does what it shows: the scenario of the examples is run by the samples themselves. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { sampleLanguages } from '#libs/site/samples/languages.ts';
import { samplesOf } from '#libs/site/samples/operation-samples.ts';
import { pythonSample } from '#libs/site/samples/python.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { type SampleRequest, sampleRequest } from '#libs/site/samples/sample-request.ts';
import { streamSamples } from '#libs/site/samples/stream.ts';
import { blockOf, codeBlock } from '#test/documentation/code-blocks.ts';
import { recordRun, recordSample, skipWithout } from '#test/documentation/executed-code.ts';
import {
  guideCode,
  installedSdk,
  payoffBlock,
  pythonRunner,
  runners,
  runQuickStart,
  runSamples,
  type SampleRunner,
} from '#test/documentation/sample-runners.ts';
import { consumerCode, printedUntilEvent, streamPrograms } from '#test/documentation/stream-samples.ts';
import { callerEnvironment } from '#test/support/cli-process.ts';
import { Lender } from '#test/support/lender.ts';
import { pythonWithSdk } from '#test/support/python-sdk.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';
import { installSdk } from '#test/tooling/installed-sdk.ts';

// The first run installs the Python SDK.
const timeoutMs = 300_000;
const shown = Object.keys(examples) as RouteName[];

// java-sdk.test.ts runs those in Java with the package that it builds.
const languages = sampleLanguages.filter(({ id }) => id !== 'java');

test.concurrent.each(languages.map((language) => [language.label, language] as const))(
  'the samples in %s record and read what the reference shows',
  async (label, language) => {
    const tenant = await Tenant.open(testEnvironment());
    const runner = await runners[language.id]?.(callerEnvironment(tenant));
    if (runner === undefined) throw new Error(`samples in ${label} have no runner`);
    if (typeof runner === 'string') return skipWithout(`the samples in ${label}`, runner, { languages: [language.id] });
    try {
      expect(await runSamples(runner, tenant.id, language)).toEqual([...shown].sort());
    } finally {
      runner.close();
      await tenant.close();
    }
  },
  timeoutMs,
);

test(
  'the samples of the stream print the events of Loans',
  async () => {
    const lender = await Lender.open(testEnvironment());
    try {
      await lender.loan(await lender.client());
      await Promise.all(
        languages.map(async ({ id, label }) => {
          const program = await streamPrograms[id]?.(lender.tenant.id, tmpdir());
          if (program === undefined) throw new Error(`the sample of the stream in ${label} has no program`);
          if (typeof program === 'string') return skipWithout(`the stream in ${label}`, program, { languages: [id] });
          const printed = await printedUntilEvent(program, callerEnvironment(lender.tenant));
          if (id === 'curl') expect(printed).toMatch(/^id: \S+\nevent: issued\ndata: \{"id":/m);
          recordSample('streamFeed', id);
        }),
      );
    } finally {
      await lender.close();
    }
  },
  timeoutMs,
);

const eventsGuide = 'docs/guide/events.md';
const [typescriptReadme, pythonReadme] = ['libs/sdk/README.md', 'libs/sdk-python/README.md'] as const;

const [consumesFacts = '', consumesMovements = ''] = ['consumeBookEvents', 'consumeMovements'].map(
  (name) => `import { Kafka } from 'kafkajs';\nimport { ${name} }`,
);
const readsBody = 'import { factBody }';
const [pythonConsumes, pythonReadsBody] = ['from lending.events', 'from lending import shapes'] as const;
/** What the code that reads a body prints of a Loan. */
const firstDue = /^\d+ MXN, first due on \d{4}-\d\d-\d\d$/m;

const pythonStore = `from lending import Lending
lending = Lending()
class Store:
    def cursor(self): return None
    def write(self, events, cursor): print(events)
store = Store()
`;

const pythonPrintingStore = `class Store:
    def positions_of(self, partitions): return {}
    def take(self, batch):
        for event in batch.events:
            if event.kind == "issued": print(first_due(event))
store = Store()
`;

test(
  'the code of guides and READMEs that follows events writes them',
  async () => {
    const lender = await Lender.open(testEnvironment());
    const folder = join(installedSdk().folder, 'follow');
    mkdirSync(folder);
    const typescript = (code: string, index: number) => {
      const file = join(folder, `follow-${index}.mjs`);
      const store = '{ cursor: async () => undefined, write: async (events) => console.log(JSON.stringify(events)) }';
      const given = `import { Lending } from 'lending-sdk';\nconst lending = new Lending();\nconst store = ${store};\n`;
      writeFileSync(file, `${given}const myStore = store;\n${code}`);
      return { command: process.execPath, args: [file] };
    };
    const found = await pythonWithSdk();
    if ('missing' in found) skipWithout('the Python that follows events', found.missing, { languages: ['python'] });
    const python = (code: string) =>
      'missing' in found ? [] : [{ command: found.python, args: ['-u', '-c', `${pythonStore}${code}`] }];
    try {
      await lender.loan(await lender.client());
      const programs = [
        ...[guideCode('events', 'const from ='), codeBlock(typescriptReadme, 'for await (const { events')].map(
          typescript,
        ),
        ...[guideCode('events', 'for followed'), codeBlock(pythonReadme, 'for followed')].flatMap(python),
      ];
      await Promise.all(programs.map((program) => printedUntilEvent(program, callerEnvironment(lender.tenant))));
      recordRun(eventsGuide, 'const from =');
      recordRun(typescriptReadme, 'for await (const { events');
      if ('missing' in found) return;
      for (const file of [eventsGuide, pythonReadme]) recordRun(file, 'for followed');
    } finally {
      await lender.close();
    }
  },
  timeoutMs,
);

test(
  'the consumers of topics in the READMEs of TypeScript and Python take facts and movements',
  async () => {
    const lender = await Lender.open(testEnvironment());
    const withPeers = installSdk({ withPeers: true });
    const typescript = (beginning: string, given: string) => {
      const file = join(withPeers.folder, `${beginning.replaceAll(/\W/g, '-')}.mjs`);
      writeFileSync(file, `${given}\n${consumerCode(typescriptReadme, beginning)}`);
      return { command: process.execPath, args: [file] };
    };
    const found = await pythonWithSdk();
    if ('missing' in found) skipWithout('the consumer in Python', found.missing, { languages: ['python'] });
    try {
      await lender.loan(await lender.client());
      // As pg returns them.
      const database = `const database = {
  query: async (_text, [partitions]) => ({
    rows: partitions.map((partition) => ({ partition, sequence: '0', next_offset: '0' })),
  }),
};
`;
      const keep = `${database}${codeBlock(typescriptReadme, readsBody)}
const keep = async ({ events }) => {
  for (const event of events) if (event.kind === 'issued') console.log(firstDue(event));
};`;
      const keepLines = `const positionsOf = async () => new Map();
const keepLines = async (lines) => {
  for (const { loan_id, day, owed } of lines) console.log([loan_id, day, owed].join(' '));
};`;
      const python = [
        codeBlock(pythonReadme, pythonReadsBody),
        pythonPrintingStore,
        consumerCode(pythonReadme, pythonConsumes),
      ];
      await Promise.all([
        printedUntilEvent(typescript(consumesFacts, keep), {}, firstDue),
        printedUntilEvent(typescript(consumesMovements, keepLines), {}, /^\S+ \d{4}-\d\d-\d\d -?\d+$/m),
        'missing' in found
          ? undefined
          : printedUntilEvent({ command: found.python, args: ['-u', '-c', python.join('\n')] }, {}, firstDue),
      ]);
      recordRun(typescriptReadme, consumesFacts, readsBody, consumesMovements);
      if (!('missing' in found)) recordRun(pythonReadme, pythonConsumes, pythonReadsBody);
    } finally {
      withPeers.remove();
      await lender.close();
    }
  },
  timeoutMs,
);

test(
  'the code about missing answers records its Receipt, and that of the Python README reads, reports and names refusals',
  async () => {
    const lender = await Lender.open(testEnvironment());
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const receipt = (reference: string, clientId = client) => ({
      reference,
      client_id: clientId,
      amount: { minor_units: 100, currency: 'MXN' },
      value_date: '2026-02-16',
    });
    const environment = callerEnvironment(lender.tenant);
    const typescript = runners['typescript']?.(environment) as SampleRunner;
    const python = await pythonRunner(environment);
    try {
      const { body } = await typescript.run(`import { Lending } from 'lending-sdk';
const lending = new Lending();
const receipt = ${JSON.stringify(receipt('kept-1'))};
const keepForLater = async (): Promise<void> => undefined;
${guideCode('idempotency', 'import { LendingError')}
console.dir((await lending.readReceipt({ receipt_reference: 'kept-1' })).receipt.reference);`);
      expect(body).toBe('kept-1');
      recordRun('docs/guide/idempotency.md', 'import { LendingError');
      if (typeof python === 'string') return skipWithout('the same in Python', python, { languages: ['python'] });
      const given = (of: object) => `from lending import *
lending = Lending()
receipt = ${JSON.stringify(of)}
keep_for_later = None
read_receipts_from_somewhere = lambda: [receipt]
answer = print
def print(*parts): answer(" ".join(str(part) for part in parts))
`;
      const printedBy = async (code: string) => (await python.run(code)).body;
      const reading = '\nprint(lending.read_receipt("kept-2")["receipt"]["reference"])';
      const idempotency = guideCode('idempotency', 'from lending import LendingError');
      expect(await printedBy(`${given(receipt('kept-2'))}${idempotency}${reading}`)).toBe('kept-2');
      const refused = given(receipt('refused', 'nobody'));
      const reporting = codeBlock(pythonReadme, 'from lending import RefusalError').replace('"rosa"', '"nobody"');
      expect(await printedBy(`${given({})}${reporting}`)).toMatch(/^unknown_client /);
      expect(await printedBy(`${refused}${codeBlock(pythonReadme, 'for reported')}`)).toBe('0 refused unknown_client');
      const listing = codeBlock(pythonReadme, 'import asyncio').replace('"rosa"', JSON.stringify(client));
      expect(await printedBy(`${given({})}${listing}`)).toMatch(new RegExp(`^${id} [a-z_]+$`));
      // Of another Client: the one above has a Loan.
      const [borrower, product] = [await lender.client(), await lender.defaultProduct()];
      const issuing = codeBlock(pythonReadme, 'from lending import to_decimal')
        .replaceAll('"rosa"', JSON.stringify(borrower))
        .replace('ins-000001', product.id);
      expect(await printedBy(`${given({})}${issuing}`)).toMatch(/^[\d.]+ pays it off$/);
      recordRun('docs/guide/idempotency.md', 'from lending import LendingError');
      recordRun(pythonReadme, 'from lending import RefusalError', 'for reported', 'import asyncio');
      recordRun(pythonReadme, 'from lending import to_decimal');
    } finally {
      typescript.close();
      if (typeof python !== 'string') python.close();
      await lender.close();
    }
  },
  timeoutMs,
);

test('the request of the guide to signing is answered', async () => {
  const tenant = await Tenant.open(testEnvironment());
  const curl = runners['curl']?.(callerEnvironment(tenant)) as SampleRunner;
  try {
    const code = guideCode('signing', '. ./lending.sh').replace('/tenants/demo/', `/tenants/${tenant.id}/`);
    expect(await curl.run(code)).toMatchObject({ status: 200, body: { concurrent: expect.any(Number) } });
    recordRun('docs/guide/signing.md', '# lending.sh', '. ./lending.sh');
  } finally {
    curl.close();
    await tenant.close();
  }
});

test.each((Object.keys(routes) as RouteName[]).filter((name) => routes[name].isPublic))(
  'the sample of %s is answered without a key',
  (name) => {
    const [sample, ...others] = samplesOf(name);
    const env = { ...process.env, LENDING_URL: testEnvironment().services.baseUrl };
    const code = `${sample?.code} --silent --output /dev/null --write-out '%{http_code}'`;
    expect([execFileSync('bash', ['-euc', code], { env, encoding: 'utf8' }), others]).toEqual(['200', []]);
    recordSample(name, 'curl');
  },
);

test.each(languages.map((language) => [language.label, language] as const))(
  'the quick start in %s ends with a Loan that is paid off',
  async (label, language) => {
    const tenant = await Tenant.open(testEnvironment());
    const runner = await runners[language.id]?.(callerEnvironment(tenant));
    try {
      if (runner === undefined) throw new Error(`samples in ${label} have no runner`);
      if (typeof runner === 'string')
        return skipWithout(`the quick start in ${label}`, runner, { languages: [language.id] });
      expect(await runQuickStart(runner, tenant.id, language)).toMatchObject({ loans: [{ discharged: true }] });
    } finally {
      if (typeof runner === 'object') runner.close();
      await tenant.close();
    }
  },
  timeoutMs,
);

function exampleRequest(operation: RouteName): SampleRequest {
  return sampleRequest(operation, examples[operation] as NonNullable<(typeof examples)[RouteName]>);
}

/** What a reader has before the code of these guides: its guide, its first line, and declarations. */
const guideCodes = [
  [
    'events',
    'const from =',
    'declare const store: { cursor(): Promise<string>; write(events: readonly object[], cursor: string): Promise<void> };',
  ],
  [
    'idempotency',
    'import { LendingError',
    "declare const receipt: Parameters<Lending['reportReceipt']>[0];\ndeclare function keepForLater(receipt: object): Promise<void>;",
  ],
] as const;
const declaredClient = "import type { Lending } from 'lending-sdk';\ndeclare const lending: Lending;\n";

test('the samples in TypeScript satisfy the types of the SDK', () => {
  const sdk = installedSdk();
  const render = sampleLanguages.find(({ id }) => id === 'typescript')?.render;
  for (const operation of shown) {
    writeFileSync(join(sdk.folder, `${operation}.ts`), String(render?.(exampleRequest(operation))));
  }
  writeFileSync(join(sdk.folder, 'streamFeed.ts'), String(streamSamples['typescript']));
  writeFileSync(join(sdk.folder, 'payoff.ts'), payoffBlock('typescript').code);
  for (const [guide, beginning, declarations] of guideCodes) {
    const code = `${declaredClient}${declarations}\n${guideCode(guide, beginning)}`;
    writeFileSync(join(sdk.folder, `guide-${guide}.ts`), code);
  }
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
  };
  const types = { types: ['node'], typeRoots: [join(projectDir, 'node_modules', '@types')] };
  writeFileSync(join(sdk.folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(sdk.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, ...types } }));
  const compiler = join(projectDir, 'node_modules', '.bin', 'tsc');
  expect(execFileSync(compiler, ['-p', sdk.folder], { encoding: 'utf8' })).toBe('');
});

test(
  'the Python of the guide to signing sends signed requests without the SDK, and signs the test vector as the guide says',
  async () => {
    const tenant = await Tenant.open(testEnvironment());
    const runner = await pythonRunner(callerEnvironment(tenant));
    const secretOfVector = guideCode('signing', 'lsk_test_').trim();
    const ofVector = await pythonRunner({ ...callerEnvironment(tenant), LENDING_KEY: secretOfVector });
    try {
      if (typeof runner === 'string') {
        const blocks = [blockOf('docs/guide/signing.md', 'lsk_test_')];
        return skipWithout('the Python of the guide to signing', runner, { languages: ['python'], blocks });
      }
      if (typeof ofVector === 'string') throw new Error(`only one of two runners has started: ${ofVector}`);
      const { body: bounds } = await runner.run(guideCode('signing', 'from lending_call import call'));
      expect(bounds).toMatchObject({ concurrent: expect.any(Number) });
      const { body: header } = await ofVector.run(guideCode('signing', 'from lending_call import sign'));
      expect(`Authorization: ${header}\n`).toBe(guideCode('signing', 'Authorization: '));
      const client = JSON.stringify({ actor: 'ana', basis: 'walked in' });
      const code = `from lending_call import call\nprint(call("PUT", "/clients/ada", ${client}))`;
      expect((await runner.run(code)).body).toMatchObject({ client_id: 'ada' });
      recordRun('docs/guide/signing.md', 'lsk_test_', '"""lending_call.py', 'from lending_call import call');
      recordRun('docs/guide/signing.md', 'from lending_call import sign');
    } finally {
      for (const each of [runner, ofVector]) if (typeof each !== 'string') each.close();
      await tenant.close();
    }
  },
  timeoutMs,
);

const declarationsOfIdempotency = `from lending import Lending, shapes
lending: Lending
receipt: shapes.ReceiptToReport
def keep_for_later(receipt: shapes.ReceiptToReport) -> None: ...
`;

const declaredStore = `from collections.abc import Sequence
from lending.events import Batch, Position
class Store:
    def positions_of(self, partitions: Sequence[int]) -> dict[int, Position]: return {}
    def take(self, batch: Batch) -> None: ...
store = Store()
`;

test(
  'the samples in Python satisfy the types of the SDK',
  async () => {
    const found = await pythonWithSdk();
    if ('missing' in found)
      return skipWithout('the types of the samples in Python', found.missing, { languages: ['python'] });
    const folder = mkdtempSync(join(tmpdir(), 'lending-python-types-'));
    try {
      for (const operation of shown)
        writeFileSync(join(folder, `${operation}.py`), pythonSample(exampleRequest(operation)));
      writeFileSync(join(folder, 'streamFeed.py'), String(streamSamples['python']));
      writeFileSync(join(folder, 'ledger.py'), guideCode('events', '"""ledger.py'));
      writeFileSync(
        join(folder, 'idempotency.py'),
        `${declarationsOfIdempotency}${guideCode('idempotency', 'from lending import LendingError')}`,
      );
      writeFileSync(join(folder, 'payoff.py'), payoffBlock('python').code);
      writeFileSync(join(folder, 'consumer.py'), `${declaredStore}${codeBlock(pythonReadme, 'from lending.events')}`);
      const args = ['-m', 'mypy', '--strict', '--cache-dir', join(projectDir, '.data', 'mypy-cache'), '.'];
      const { stdout } = await promisify(execFile)(found.python, args, { cwd: folder }).catch((failure) => failure);
      expect(stdout).toMatch(/^Success: no issues found in \d+ source files$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  timeoutMs,
);

afterAll(() => installedSdk().remove());
