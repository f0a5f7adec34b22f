import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indented } from './indented.ts';

test('any answer is indented as JSON is everywhere, however it was spaced', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      // A figure as it was written is not always the shortest way to write it: -0.
      const plain = JSON.stringify(JSON.parse(json));
      expect(indented(JSON.stringify(JSON.parse(plain), null, space))).toBe(JSON.stringify(JSON.parse(plain), null, 2));
    }),
  );
});

test('a figure stays as it was written, whatever a double would make of it', () => {
  expect(indented('{"minor_units":12345678901234567890,"rate":1.50,"2":0,"1":0}')).toBe(
    '{\n  "minor_units": 12345678901234567890,\n  "rate": 1.50,\n  "2": 0,\n  "1": 0\n}',
  );
});

test.each(['', '<p>docs</p>', '{"half":'])('what is no JSON is left as it is: %p', (text) => {
  expect(indented(text)).toBe(text);
});
