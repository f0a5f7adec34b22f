/** Runs the tests of plan, allocation and acts in one process until the first failure. `npm run test:mutants` runs it for each mutant. */
import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import fc from 'fast-check';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@jest/globals' ? new URL('mutant-tests.jest.ts', import.meta.url).href : specifier, context),
});

// Few cases and no shrinking: one failure is enough to detect a mutant.
fc.configureGlobal({ numRuns: 15, endOnFailure: true });

const book = new URL('../../libs/ledger/', import.meta.url);
for (const folder of ['charges/', 'receipts/', 'acts/']) {
  const names = readdirSync(new URL(folder, book)).filter((name) => name.endsWith('.test.ts'));
  for (const name of names) await import(new URL(folder + name, book).href);
}
await import(new URL('worked-books.test.ts', import.meta.url).href);
const { runDeclared } = await import('./mutant-tests.jest.ts');
console.log(`${runDeclared()} passed`);
