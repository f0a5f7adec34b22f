/** The part of jest that the tests of the fold use. Jest itself needs seconds to start, for each of a thousand mutants. */
import { expect as jestExpect } from 'expect';

export const expect = jestExpect;

type Body = () => void;

const tests: { readonly title: string; readonly body: Body }[] = [];

const each =
  (run: (title: string, body: Body) => void) =>
  (cases: readonly unknown[]) =>
  (title: string, body: (...of: unknown[]) => void): void => {
    for (const one of cases) run(`${title} ${one}`, () => (Array.isArray(one) ? body(...one) : body(one)));
  };

function declare(title: string, body: Body): void {
  tests.push({ title, body });
}

function declareGroup(_title: string, body: Body): void {
  body();
}

export const test = Object.assign(declare, { each: each(declare) });
export const describe = Object.assign(declareGroup, { each: each(declareGroup) });

/** Runs the declared tests; throws at the first failure. */
export function runDeclared(): number {
  for (const { title, body } of tests) {
    try {
      body();
    } catch (cause) {
      throw new Error(title, { cause });
    }
  }
  return tests.length;
}
