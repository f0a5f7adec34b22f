import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '#libs/schema/refusals.ts';
import { type CursorPosition, type CursorScope, Cursors } from './cursors.ts';

const cursors = new Cursors(() => [Buffer.alloc(32, 7)]);
const loans: CursorScope = { tenantId: 'acme', name: 'loans', filters: { state: 'active' } };
const positions = fc.array(fc.oneof(fc.nat(), fc.string({ minLength: 1 })), { minLength: 1 });

test('decoding a cursor returns the encoded position', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(cursors.decode(loans, cursors.encode(loans, position))).toEqual({ position });
    }),
  );
});

test('a cursor altered in any character is refused', () => {
  fc.assert(
    fc.property(positions, fc.nat(), fc.constantFrom('A', 'b', '-', '=', '"', ''), (position, seed, character) => {
      const cursor = cursors.encode(loans, position);
      const index = seed % cursor.length;
      const altered = cursor.slice(0, index) + character + cursor.slice(index + 1);
      fc.pre(altered !== cursor);
      expect(isRefusal(cursors.decode(loans, altered))).toBe(true);
    }),
  );
});

test.each<[string, CursorScope]>([
  ['another Tenancy', { ...loans, tenantId: 'vivid' }],
  ['another listing', { ...loans, name: 'receipts' }],
  ['another filter', { ...loans, filters: { state: 'closed' } }],
  ['no filter', { ...loans, filters: {} }],
])('a cursor is refused for %s', (_, otherScope) => {
  const cursor = cursors.encode(loans, [1] as CursorPosition);
  expect(cursors.decode(otherScope, cursor)).toMatchObject({ code: 'invalid_query', details: { field: 'cursor' } });
  expect(isRefusal(new Cursors(() => [Buffer.alloc(32, 8)]).decode(otherScope, cursor))).toBe(true);
});

test('a cursor is valid at any later time', () => {
  const now = Date.UTC(2026, 9, 16);
  jest.useFakeTimers({ now });
  try {
    const cursor = cursors.encode(loans, [17, 'x']);
    jest.setSystemTime(Date.UTC(2036, 9, 16));
    const laterProcess = new Cursors(() => [Buffer.alloc(32, 7)]);
    expect(laterProcess.decode(loans, cursor)).toEqual({ position: [17, 'x'] });
    expect(laterProcess.encode(loans, [17, 'x'])).toBe(cursor);
    // Literal: a change of the format would make cursors that callers already have invalid.
    expect(cursor).toBe('_77S5zwLuTkKA8rfcTs7P1sxNywieCJd');
  } finally {
    jest.useRealTimers();
  }
});

describe('a key of cursors can be replaced', () => {
  const [old, renewed] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] as const;
  const scope = { tenantId: 'acme', name: 'loans', filters: {} };

  test('while cursors of both keys are in use, on instances that know the new key and on those that do not yet', () => {
    let keys: readonly Buffer[] = [old];
    const first = new Cursors(() => keys);
    const issuedBefore = first.encode(scope, [1]);
    // Every instance accepts both, then the order is changed, then the old key is removed.
    keys = [old, renewed];
    const second = new Cursors(() => [renewed, old]);
    const issuedAfter = second.encode(scope, [2]);
    expect(second.decode(scope, issuedBefore)).toEqual({ position: [1] });
    expect(first.decode(scope, issuedAfter)).toEqual({ position: [2] });
    keys = [renewed];
    expect(first.decode(scope, issuedAfter)).toEqual({ position: [2] });
    expect(isRefusal(first.decode(scope, issuedBefore))).toBe(true);
  });
});
