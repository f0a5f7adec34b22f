import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '#libs/schema/json.ts';
import { findDifference, type IdBindings, placeholderIds } from './json-difference.ts';

const [one, two] = placeholderIds as [string, string];
const [id, otherId] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

test('equal values have no difference, whatever the order of their members', () => {
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  fc.assert(fc.property(json, (value) => expect(findDifference(value, reversed(value), new Map())).toBeUndefined()));
});

test('a difference is reported with its JSON pointer', () => {
  const expected = { amount: { minor_units: 500 }, lines: [1, 2] };
  const difference = (found: Json) => findDifference(expected, found, new Map());
  expect(difference({ ...expected, amount: { minor_units: 501 } })).toEqual({
    pointer: '/amount/minor_units',
    expected: 500,
    found: 501,
  });
  expect(difference({ ...expected, lines: [1] })).toEqual({ pointer: '/lines/1', expected: 2, found: null });
  expect(difference({ ...expected, note: 'x' })).toEqual({ pointer: '/note', expected: null, found: 'x' });
  expect(findDifference({ at: 1 }, { at: '1' }, new Map())).toEqual({ pointer: '/at', expected: 1, found: '1' });
});

test('a placeholder corresponds to one id, wherever it occurs', () => {
  const bindings: IdBindings = new Map();
  expect(findDifference({ loan: one, event: two }, { loan: id, event: otherId }, bindings)).toBeUndefined();
  expect(findDifference([one, two], [id, otherId], bindings)).toBeUndefined();
  expect(findDifference([one], [otherId], bindings)).toEqual({ pointer: '/0', expected: id, found: otherId });
});

test('two placeholders never correspond to the same id, and none to a text that is not an id', () => {
  expect(findDifference([one, two], [id, id], new Map())).toEqual({ pointer: '/1', expected: two, found: id });
  expect(findDifference(one, 'not an id', new Map())).toMatchObject({ found: 'not an id' });
});
