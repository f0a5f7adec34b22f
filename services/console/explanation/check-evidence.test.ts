import { expect, test } from '@jest/globals';
import { receiptEvidence } from '#libs/verify/testing/signed-evidence.ts';
import { checkEvidence } from './check-evidence.ts';

const checks = ['key', 'request', 'signature', 'moment', 'order', 'content'] as const;

function results(answer: ReturnType<typeof receiptEvidence>) {
  const { fault, resultOf } = checkEvidence(answer);
  return { fault, facts: answer.facts.map((fact) => checks.map((check) => resultOf(fact, check))) };
}

test('every check of valid evidence passed', () => {
  const passed = checks.map(() => 'passed');
  expect(results(receiptEvidence())).toEqual({ fault: undefined, facts: [passed, passed] });
});

test('after the first fault nothing was checked, and what was checked before it passed', () => {
  const answer = receiptEvidence();
  const [reported, reversed] = answer.facts;
  if (reported === undefined || reversed === undefined) throw new Error('expected two facts');
  const later = results({ ...answer, facts: [reported, { ...reversed, recorded_at: 'never' }] });
  expect(later.fault).toContain('fact 9 (receipt_reversed)');
  expect(later.facts).toEqual([
    checks.map(() => 'passed'),
    ['passed', 'passed', 'passed', 'failed', 'notReached', 'notReached'],
  ]);
  const first = results({
    ...answer,
    facts: [{ ...reported, body: { receipt: {} } }, reversed] as typeof answer.facts,
  });
  expect(first.facts).toEqual([
    ['passed', 'passed', 'passed', 'passed', 'passed', 'failed'],
    checks.map(() => 'notReached'),
  ]);
});
