import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '#libs/schema/json.ts';
import { type Bound, differenceOf, standIns } from './same.ts';

const [one, two] = standIns as [string, string];
const [id, other] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

test('what says the same has no difference, whatever the order of its members', () => {
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  fc.assert(fc.property(json, (value) => expect(differenceOf(value, reversed(value), new Map())).toBeUndefined()));
});

test('what says something else is found, where it says it', () => {
  const was = { amount: { minor_units: 500 }, lines: [1, 2] };
  expect(differenceOf(was, { ...was, amount: { minor_units: 501 } }, new Map())).toEqual({
    at: '/amount/minor_units',
    expected: 500,
    found: 501,
  });
  expect(differenceOf(was, { ...was, lines: [1] }, new Map())).toEqual({ at: '/lines/1', expected: 2, found: null });
  expect(differenceOf(was, { ...was, note: 'x' }, new Map())).toEqual({ at: '/note', expected: null, found: 'x' });
  expect(differenceOf({ at: 1 }, { at: '1' }, new Map())).toEqual({ at: '/at', expected: 1, found: '1' });
});

test('a stand-in stands for one identifier, and for it wherever it occurs', () => {
  const bound: Bound = new Map();
  expect(differenceOf({ loan: one, event: two }, { loan: id, event: other }, bound)).toBeUndefined();
  expect(differenceOf([one, two], [id, other], bound)).toBeUndefined();
  expect(differenceOf([one], [other], bound)).toEqual({ at: '/0', expected: id, found: other });
});

test('two stand-ins do not stand for one identifier, and none for what is none', () => {
  expect(differenceOf([one, two], [id, id], new Map())).toEqual({ at: '/1', expected: two, found: id });
  expect(differenceOf(one, 'not an identifier', new Map())).toMatchObject({ found: 'not an identifier' });
});
