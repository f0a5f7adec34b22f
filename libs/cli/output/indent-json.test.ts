import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentJson } from './indent-json.ts';

test('indents any JSON like JSON.stringify, however it was spaced', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      // Normalized first: a number may be written in a longer form, such as -0.
      const plain = JSON.stringify(JSON.parse(json));
      expect(indentJson(JSON.stringify(JSON.parse(plain), null, space))).toBe(
        JSON.stringify(JSON.parse(plain), null, 2),
      );
    }),
  );
});

test('keeps figures as they were written', () => {
  expect(indentJson('{"minor_units":12345678901234567890,"rate":1.50,"2":0,"1":0}')).toBe(
    '{\n  "minor_units": 12345678901234567890,\n  "rate": 1.50,\n  "2": 0,\n  "1": 0\n}',
  );
});

test.each(['', '<p>docs</p>', '{"half":'])('returns text that is not JSON unchanged: %p', (text) => {
  expect(indentJson(text)).toBe(text);
});
