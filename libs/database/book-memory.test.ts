import { expect, test } from '@jest/globals';
import { createBookMemory } from './book-memory.ts';

test('a book above the limit stays while small ones are read', () => {
  const memory = createBookMemory(1_000);
  memory.set('large', { bytes: 50_000 });
  memory.set('tenancy', { bytes: 100 });
  memory.set('client', { bytes: 100 });
  expect([...memory.keys()].sort()).toEqual(['client', 'large', 'tenancy']);
});

test('one book above the limit is held, and the least recently read ones make room', () => {
  const memory = createBookMemory(1_000);
  memory.set('large', { bytes: 50_000 });
  memory.set('other-large', { bytes: 50_000 });
  expect([...memory.keys()]).toEqual(['other-large']);
  memory.set('small', { bytes: 200 });
  memory.get('other-large');
  memory.set('new', { bytes: 100 });
  expect([...memory.keys()].sort()).toEqual(['new', 'other-large']);
});
