import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrayItems } from './json-array-items.ts';

function itemsOf(text: string): unknown[] {
  const bytes = Buffer.from(text);
  return arrayItems(bytes, 'receipts').map(([start, end]) => JSON.parse(bytes.toString('utf8', start, end)));
}

test('the items of an array are those that parsing the whole text finds', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.nat({ max: 3 }), (receipts, other, indent) => {
      const text = JSON.stringify({ other, receipts, 'receipts ': other }, undefined, indent);
      expect(itemsOf(text)).toEqual((JSON.parse(text) as { receipts: unknown[] }).receipts);
    }),
  );
});

test.each([
  ['of two members with one name the last one counts', '{"receipts":[1],"receipts":[2,3]}', [2, 3]],
  ['a name may be written with escapes', '{"re\\u0063eipts":[1]}', [1]],
  ['a member of an inner object is another one', '{"a":{"receipts":[1]},"b":[{"receipts":[2]}]}', []],
  ['a text may end with a backslash', '{"receipts":["\\\\",{"a":"\\""}]}', ['\\', { a: '"' }]],
  ['an empty array has no items', '{"receipts":[ ]}', []],
])('%s', (_rule, text, items) => {
  expect(itemsOf(text)).toEqual(items);
});
