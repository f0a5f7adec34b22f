/** Every sample of the documentation does what it shows: the scenario of the examples is run by the samples themselves. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import type { RouteName } from '#libs/api/routes.ts';
import { formatSecret } from '#libs/auth/signer.ts';
import { sampleLanguages } from '#libs/site/samples/languages.ts';
import { sampleRequest } from '#libs/site/samples/sample-request.ts';
import { examples } from '#libs/site/samples/sample-tabs.ts';
import { guideCode, installedSdk, runners } from '#test/documentation/sample-runners.ts';
import { runScenario } from '#test/openapi/scenario.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

const shown = Object.keys(examples) as RouteName[];

test.concurrent.each(sampleLanguages.map(({ id, label, render }) => [label, id, render] as const))(
  'the samples in %s record and read what the reference shows',
  async (label, id, render) => {
    const tenant = await Tenant.open(testEnvironment());
    const runner = runners[id]?.({
      LENDING_URL: testEnvironment().services.baseUrl,
      LENDING_TENANT: tenant.id,
      LENDING_KEY: formatSecret({ environment: 'test', seed: tenant.signer.secretKey.subarray(0, 32) }),
    });
    if (runner === undefined) throw new Error(`samples in ${label} have no runner`);
    if (typeof runner === 'string') {
      console.error(`skipped: the samples in ${label}, because ${runner}`);
      return;
    }
    const run = new Set<RouteName>();
    try {
      await runScenario((_method, _path, _body, { operation, ...example }) => {
        run.add(operation);
        return runner.run(render(sampleRequest(operation, example, tenant.id)));
      });
    } finally {
      runner.close();
      await tenant.close();
    }
    expect([...run].sort()).toEqual([...shown].sort());
  },
);

test('the samples in TypeScript satisfy the types of the SDK', () => {
  const sdk = installedSdk();
  const render = sampleLanguages.find(({ id }) => id === 'typescript')?.render;
  writeFileSync(join(sdk.folder, 'lending.ts'), guideCode('quick-start', '// lending.ts'));
  for (const operation of shown) {
    const request = sampleRequest(operation, examples[operation] as NonNullable<(typeof examples)[RouteName]>);
    writeFileSync(join(sdk.folder, `${operation}.ts`), String(render?.(request)));
  }
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    allowImportingTsExtensions: true,
  };
  const types = { types: ['node'], typeRoots: [join(projectDir, 'node_modules', '@types')] };
  writeFileSync(join(sdk.folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(sdk.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, ...types } }));
  const compiler = join(projectDir, 'node_modules', '.bin', 'tsc');
  expect(execFileSync(compiler, ['-p', sdk.folder], { encoding: 'utf8' })).toBe('');
});

afterAll(() => installedSdk().remove());
