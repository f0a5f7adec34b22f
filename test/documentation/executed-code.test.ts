import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { compareExecuted, documentedCode, type ExecutionRecord } from './executed-code.ts';

const guide = { file: 'docs/guide/a.md', language: 'sh', code: 'one\n' };
const sample = { file: 'reference: readLoan', language: 'curl', code: 'curl' };
const run = ({ code, ...where }: typeof guide) =>
  ({ ...where, proof: 'run', digest: createHash('sha256').update(code).digest('hex') }) satisfies ExecutionRecord;
const skipped = {
  skipped: 'the samples in Java',
  reason: 'this machine has no JDK',
  languages: ['java'],
  blocks: [],
} satisfies ExecutionRecord;

test('all code of the documents that was executed is counted by document, and samples by language', () => {
  const { text, isComplete } = compareExecuted([guide, sample], [run(guide), run(sample), run(sample)], true);
  expect(isComplete).toBe(true);
  expect(text).toMatch(
    /^docs\/guide\/a\.md +1 run, 0 refused as stated, 0 compared, 0 not executed\nreference: curl +1 run/,
  );
  expect(text).toMatch(/^all +2 run, 0 refused as stated, 0 compared, 0 not executed$/m);
});

test('a block that was changed since it was executed, or never was, is named', () => {
  const { text, isComplete } = compareExecuted([guide, sample], [run({ ...guide, code: 'two\n' }), run(sample)], false);
  expect(isComplete).toBe(false);
  expect(text).toContain('not executed: docs/guide/a.md, sh: one');
});

test('without a toolchain a block of its language may be missing, except where CI is set', () => {
  const inJava = { ...sample, language: 'java' };
  const comparisonWith = (isCi: boolean) => compareExecuted([guide, inJava], [run(guide), skipped], isCi);
  expect(comparisonWith(false)).toMatchObject({ isComplete: true, text: expect.stringContaining('has no JDK') });
  expect(comparisonWith(true).isComplete).toBe(false);
});

test('a missing toolchain excuses no block of another language', () => {
  expect(compareExecuted([guide, sample], [run(guide), skipped], false).isComplete).toBe(false);
});

test('a block that needs the missing toolchain may be missing, whatever its language', () => {
  const { digest } = run(guide);
  const records = [run(sample), { ...skipped, blocks: [digest] }];
  expect(compareExecuted([guide, sample], records, false).isComplete).toBe(true);
});

test('a block of which a line was refused as the document states is counted apart', () => {
  const { text } = compareExecuted([guide], [{ ...run(guide), proof: 'refused as stated' }], true);
  expect(text).toMatch(/^all +0 run, 1 refused as stated, 0 compared, 0 not executed$/m);
});

test('the documents have code in blocks and in samples of each language', () => {
  const documented = documentedCode();
  expect(documented.filter(({ file }) => file.startsWith('docs/guide/')).length).toBeGreaterThan(50);
  expect(documented.filter(({ file }) => file.startsWith('reference: ')).length).toBeGreaterThan(300);
});
