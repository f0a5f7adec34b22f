/** As much of jest as the fold's tests use. Jest itself takes seconds to begin, a thousand times over. */
import { expect as expectOfJest } from 'expect';

export const expect = expectOfJest;

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

function within(_title: string, body: Body): void {
  body();
}

export const test = Object.assign(declare, { each: each(declare) });
export const describe = Object.assign(within, { each: each(within) });

/** Runs what was declared; the first that fails is thrown. */
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
