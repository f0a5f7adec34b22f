import { expect, test } from '@jest/globals';
import { irreversibleSteps } from './plan-preparation.ts';

const nothing = { partitions: 48, isFixed: true, isUsed: true, migrations: [], unplaced: [] };

test('a cell in use that lacks nothing is prepared without a question', () => {
  expect(irreversibleSteps(nothing)).toEqual([]);
});

test('the number of partitions of a new cell is stated', () => {
  expect(irreversibleSteps({ ...nothing, isFixed: false, isUsed: false, migrations: ['001_baseline'] })).toEqual([
    'The cell gets 48 partitions. This number is fixed for its life.',
  ]);
});

test('the migrations of a database in use are stated', () => {
  const [text, ...others] = irreversibleSteps({ ...nothing, migrations: ['041_one', 'north: 041_one'] });
  expect(text).toContain('only go forward, are applied to it:\n  041_one\n  north: 041_one');
  expect(others).toEqual([]);
});
