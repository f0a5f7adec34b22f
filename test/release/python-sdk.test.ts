/** Runs the tests of the Python SDK, with a Tenancy of the running service, the first requests of its README, and checks its types. */
import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { codeBlock } from '#test/documentation/code-blocks.ts';
import { recordRun, skipWithout } from '#test/documentation/executed-code.ts';
import { callerEnvironment } from '#test/support/cli-process.ts';
import { pythonSdkDir, pythonWithSdk } from '#test/support/python-sdk.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

/** Of which balances are compared. */
const randomBooks = Number(process.env['LENDING_RANDOM_BOOKS'] ?? 4);
// The first run installs the packages, and a busy machine publishes movements late.
const timeoutMs = 900_000 + 2_000 * randomBooks;

test(
  'the Python SDK signs, retries, pages and consumes events of the running service, and its types and form are clean',
  async () => {
    const environment = await pythonWithSdk();
    if ('missing' in environment) return skipWithout('the Python SDK', environment.missing, { languages: ['python'] });
    const { services, stack } = testEnvironment();
    const tenant = await Tenant.open({ services, stack });
    try {
      const variables = {
        ...callerEnvironment(tenant),
        KAFKA_BROKERS: stack.kafkaBrokers,
        SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
        LENDING_RANDOM_BOOKS: String(randomBooks),
      };
      const [tests, types, lint, format] = await Promise.all([
        // `-rP` prints what the tests that pass have printed.
        runPython(environment.python, ['-m', 'pytest', '-q', '-rP'], variables),
        runPython(environment.python, ['-m', 'mypy'], variables),
        runPython(environment.python, ['-m', 'ruff', 'check'], variables),
        runPython(environment.python, ['-m', 'ruff', 'format', '--check'], variables),
      ]);
      expect(types.output).toContain('Success: no issues found');
      expect(lint.output).toBe('All checks passed!\n');
      expect(format.output).toMatch(/^\d+ files already formatted\n$/);
      expect(tests.output).toMatch(/\n\d{2,} passed in /);
      const [agreement] = /^\d+ books, .* balances compared.*$/m.exec(tests.output) ?? [];
      expect(agreement).toBeDefined();
      console.error(`Python SDK: ${agreement}`);
      expect([tests.code, types.code, lint.code, format.code]).toEqual([0, 0, 0, 0]);

      const program = codeBlock('libs/sdk-python/README.md', '# app.py');
      const first = await runPython(environment.python, ['-c', program], variables);
      expect(first).toEqual({ code: 0, output: expect.stringMatching(/^[0-9a-f-]{36}\n\{'client_id': 'rosa'/) });
      // tests/test_guide.py has run the function `take`.
      recordRun('libs/sdk-python/README.md', '# app.py', 'def take');
    } finally {
      await tenant.close();
    }
  },
  timeoutMs,
);

function runPython(
  python: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const env = { ...process.env, ...variables, PYTHONDONTWRITEBYTECODE: '1' };
  return new Promise((resolve) => {
    execFile(python, args, { cwd: pythonSdkDir, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, output: `${out}${err}` });
    });
  });
}
