import { expect, test } from '@jest/globals';
import { BookMemory } from './book-memory.ts';

test('a large book stays while many others are read', () => {
  const memory = new BookMemory<{ readonly bytes: number }>(1_000);
  memory.set('large', { bytes: 50_000 });
  for (let client = 0; client < 20; client += 1) memory.set(`client-${client}`, { bytes: 100 });
  const held = Array.from({ length: 20 }, (_, client) => memory.get(`client-${client}`)).filter(Boolean);
  expect(held).toHaveLength(10);
  expect(memory.get('large')).toEqual({ bytes: 50_000 });
});

test('one large book is held at a time', () => {
  const memory = new BookMemory<{ readonly bytes: number }>(1_000);
  memory.set('large', { bytes: 50_000 });
  memory.set('other', { bytes: 40_000 });
  expect([memory.get('large'), memory.get('other')]).toEqual([undefined, { bytes: 40_000 }]);
  memory.delete('other');
  expect(memory.get('other')).toBeUndefined();
});

test('a book that has grown large is held once', () => {
  const memory = new BookMemory<{ readonly bytes: number }>(1_000);
  memory.set('client', { bytes: 400 });
  memory.set('client', { bytes: 600 });
  memory.set('other', { bytes: 900 });
  expect(memory.get('client')).toBeUndefined();
});
