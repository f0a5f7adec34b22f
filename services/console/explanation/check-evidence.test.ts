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

test('a fault of the fingerprint, the digest or the signature is shown at the check of its name', () => {
  const [reported] = receiptEvidence().facts;
  if (reported === undefined) throw new Error('expected a fact');
  const { submission } = reported;
  const withFault = (change: Partial<typeof submission>) => {
    const answer = { ...receiptEvidence(), facts: [{ ...reported, submission: { ...submission, ...change } }] };
    return results(answer).facts[0]?.slice(0, 3);
  };
  expect(withFault({ fp: '0'.repeat(32) })).toEqual(['failed', 'notReached', 'notReached']);
  expect(withFault({ body: '', signature: 'x' })).toEqual(['passed', 'failed', 'notReached']);
  expect(withFault({ signature: 'x' })).toEqual(['passed', 'passed', 'failed']);
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

test('a part of evidence is valid without the first fact only where it is a continuation', () => {
  const answer = receiptEvidence();
  const rest = { ...answer, facts: answer.facts.slice(1) };
  expect(checkEvidence(rest, true).fault).toBeUndefined();
  expect(checkEvidence(rest).fault).toContain('the first fact must be one that is signed with its Client');
});
