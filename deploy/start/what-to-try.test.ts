import { expect, test } from '@jest/globals';
import { whatToTry } from './what-to-try.ts';

test('whoever started it is told where it is and where every route is described', () => {
  const told = whatToTry('http://127.0.0.1:8080', 1_234);
  expect(told).toContain('Ready in 1.2 s at http://127.0.0.1:8080.');
  expect(told).toContain('http://127.0.0.1:8080/docs\n');
});
