import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { compareExecuted, documentedCode, type ExecutionRecord } from './executed-code.ts';

const guide = { file: 'docs/guide/a.md', language: 'sh', code: 'one\n' };
const sample = { file: 'reference: readLoan', language: 'curl', code: 'curl' };
const run = ({ code, ...where }: typeof guide): ExecutionRecord => ({
  ...where,
  proof: 'run',
  digest: createHash('sha256').update(code).digest('hex'),
});
const skipped: ExecutionRecord = { skipped: 'the samples in Java', reason: 'this machine has no JDK' };

test('all code of the documents that was executed is counted by document, and samples by language', () => {
  const { text, isComplete } = compareExecuted([guide, sample], [run(guide), run(sample), run(sample)], true);
  expect(isComplete).toBe(true);
  expect(text).toMatch(/^docs\/guide\/a\.md +1 run, 0 compared, 0 not executed\nreference: curl +1 run/);
  expect(text).toMatch(/^all +2 run, 0 compared, 0 not executed$/m);
});

test('a block that was changed since it was executed, or never was, is named', () => {
  const { text, isComplete } = compareExecuted([guide, sample], [run({ ...guide, code: 'two\n' }), run(sample)], false);
  expect(isComplete).toBe(false);
  expect(text).toContain('not executed: docs/guide/a.md, sh: one');
});

test('without a toolchain a block may be missing, except where CI is set', () => {
  const comparisonWith = (isCi: boolean) => compareExecuted([guide, sample], [run(guide), skipped], isCi);
  expect(comparisonWith(false)).toMatchObject({ isComplete: true, text: expect.stringContaining('has no JDK') });
  expect(comparisonWith(true).isComplete).toBe(false);
});

test('the documents have code in blocks and in samples of each language', () => {
  const documented = documentedCode();
  expect(documented.filter(({ file }) => file.startsWith('docs/guide/')).length).toBeGreaterThan(50);
  expect(documented.filter(({ file }) => file.startsWith('reference: ')).length).toBeGreaterThan(300);
});
