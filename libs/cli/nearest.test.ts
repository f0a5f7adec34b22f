import { expect, test } from '@jest/globals';
import { nearest } from './nearest.ts';

const names = ['call', 'key mint', 'key list', 'audit', 'verify-evidence'];

test.each([
  ['key list', 'key list'],
  ['kye list', 'key list'],
  ['keys list', 'key list'],
  ['key lits', 'key list'],
  ['key mit', 'key mint'],
  ['cal', 'call'],
  ['aduit', 'audit'],
  ['verify-evidance', 'verify-evidence'],
])('whoever wrote %p meant %p', (written, meant) => {
  expect(nearest(written, names)).toBe(meant);
});

test.each(['', 'key', 'status', 'loan show', 'key polish'])('whoever wrote %p may have meant anything', (written) => {
  expect(nearest(written, names)).toBeUndefined();
});
