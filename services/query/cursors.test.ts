import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '#libs/schema/refusals.ts';
import { Cursors, type Listing, type Place } from './cursors.ts';

const cursors = new Cursors(Buffer.alloc(32, 7));
const loans: Listing = { tenantId: 'acme', name: 'loans', filters: { state: 'active' } };
const place = fc.array(fc.oneof(fc.nat(), fc.string({ minLength: 1 })), { minLength: 1 });

test('a cursor leads back to its place', () => {
  fc.assert(
    fc.property(place, (at) => {
      expect(cursors.take(loans, cursors.give(loans, at))).toEqual({ place: at });
    }),
  );
});

test('a cursor altered anywhere is refused', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.constantFrom('A', 'b', '-', '=', '"', ''), (at, nth, letter) => {
      const given = cursors.give(loans, at);
      const index = nth % given.length;
      const altered = given.slice(0, index) + letter + given.slice(index + 1);
      fc.pre(altered !== given);
      expect(isRefusal(cursors.take(loans, altered))).toBe(true);
    }),
  );
});

test.each<[string, Listing]>([
  ['another Tenancy', { ...loans, tenantId: 'vivid' }],
  ['another listing', { ...loans, name: 'receipts' }],
  ['another filter', { ...loans, filters: { state: 'closed' } }],
  ['no filter', { ...loans, filters: {} }],
])('a cursor is refused by %s', (_, other) => {
  const given = cursors.give(loans, [1] as Place);
  expect(cursors.take(other, given)).toMatchObject({ code: 'invalid_query', details: { field: 'cursor' } });
  expect(isRefusal(new Cursors(Buffer.alloc(32, 8)).take(loans, given))).toBe(true);
});
