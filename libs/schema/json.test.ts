import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import { type Json, type JsonObject, parseBody } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const context = [['context'], ['receipts', '*', 'context']];
const read = (text: string): unknown => parseBody(Buffer.from(text), context);
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test.each([
  ['nothing at all', ''],
  ['white space alone', ' \n'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['two objects', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{"a":1 /* one */}'],
  ['a leading zero', '{"a":01}'],
  ['a bare point', '{"a":1.}'],
  ['a number that is none', '{"a":NaN}'],
  ['a control character in a string', '{"a":"\n"}'],
  ['a byte order mark', '\ufeff{}'],
  ['a name stated twice', '{"a":1,"a":2}'],
  ['a name stated twice with the same value', '{"a":1,"a":1}'],
  ['a name stated twice, once escaped', '{"a":1,"\\u0061":1}'],
  ['a name stated twice deep within', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}'],
  ['a name stated twice over a whole object', '{"a":{"b":{"c":1}},"a":0}'],
  ['a prototype stated twice', '{"__proto__":1,"__proto__":2}'],
  ['half a surrogate pair', '{"a":"\\ud800"}'],
  ['the other half', '{"a":"\\uDC00 x"}'],
  ['halves the wrong way round', '{"a":"\\udc00\\ud800"}'],
  ['half a surrogate pair in a name', '{"\\ud800":1}'],
  ['a whole number beyond what is exact', '{"a":9007199254740992}'],
  ['one that rounds to a shorter text', '{"a":9007199254740993}'],
  ['one below', '{"a":-9007199254740992}'],
  ['one with an exponent', '{"a":1e16}'],
  ['one with a point', '{"a":9007199254740993.0}'],
  ['one no double holds', '{"a":1e400}'],
  ['one no double holds, as data', '{"context":{"a":1e400}}'],
  ['nesting of 33', nested(33)],
])('a body of %s is not read', (_, text) => {
  const refusal = read(text);
  expect(isRefusal(refusal) && refusal.code).toBe('invalid_body');
});

test.each([
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
  ['a lone continuation', [0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
])('bytes that are no UTF-8 are not read: %s', (_, bytes) => {
  const refusal = parseBody(Buffer.from([...Buffer.from('{"a":"'), ...bytes, ...Buffer.from('"}')]));
  expect(isRefusal(refusal) && refusal.code).toBe('invalid_body');
});

test.each([
  ['{}', {}],
  [' {"a" : [1, {"a": 2}, {"a": 3}] , "b":{"a":4}} ', { a: [1, { a: 2 }, { a: 3 }], b: { a: 4 } }],
  ['{"a":"\\ud83d\\ude00 {:} \\" \\\\"}', { a: '😀 {:} " \\' }],
  ['{"a":9007199254740991,"b":-9007199254740991}', { a: Number.MAX_SAFE_INTEGER, b: -Number.MAX_SAFE_INTEGER }],
  ['{"a":100.0,"b":1e2,"c":1.5E+1,"d":0.0,"e":-0e9,"f":12.50e1}', { a: 100, b: 100, c: 15, d: 0, e: -0, f: 125 }],
  ['{"a":1.5,"b":1e-2}', { a: 1.5, b: 0.01 }],
  ['{"a":[true,false,null]}', { a: [true, false, null] }],
  ['{"context":{"a":9007199254740993,"b":[1e-400,1.00000000000000000001]}}', { context: { a: 2 ** 53, b: [0, 1] } }],
  ['{"receipts":[{"context":{"minor_units":1e20}}]}', { receipts: [{ context: { minor_units: 1e20 } }] }],
  ['{"amount":{"minor_units":9007199254740993}}', { amount: { minor_units: 2 ** 53 } }],
  ['{"receipts":[{"amount":{"minor_units":1e400}}]}', { receipts: [{ amount: { minor_units: Infinity } }] }],
])('%s is read as it stands', (text, value) => {
  expect(read(text)).toEqual(value);
});

test.each([
  '1.00000000000000000001',
  '9007199254740992.5',
  '1e-400',
  '0.99999999999999999999',
  '123456789012345678e-1',
])('the fraction %s is never taken for the whole number it rounds to', (text) => {
  expect(read(`{"a":{"b":[0,${text}]}}`)).toEqual({ a: { b: [0, Number.NaN] } });
  expect(read(`{"amount":{"minor_units":${text}}}`)).toEqual({ amount: { minor_units: Number.NaN } });
});

test('the body itself is the first of 32 levels', () => {
  expect(read(nested(32))).toHaveProperty('a');
  expect(isRefusal(read(nested(3_000_000)))).toBe(true);
});

test('a number too long is named by where it stands', () => {
  expect(read('{"a/b":[{"~":1e30}]}')).toMatchObject({ details: { field: '/a~1b/0/~0' } });
});

test('a member called __proto__ is a member like another', () => {
  const body = read('{"__proto__":{"reference":"r"}}') as JsonObject;
  expect(Object.keys(body)).toEqual(['__proto__']);
  expect(body['reference']).toBeUndefined();
});

test('whatever JSON says once is read as it was said', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 })), (object) => {
      const text = JSON.stringify(object);
      expect(parseBody(Buffer.from(text), [[]])).toEqual(JSON.parse(text));
    }),
  );
});

test('the published example of canonical JSON stands', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('names are ordered by their UTF-16 units', () => {
  const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});

test('the order of members and the spelling of numbers make no difference', () => {
  const shuffled = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shuffled);
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, shuffled(inner)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json));
      expect(canonicalJson(JSON.parse(canonicalJson(json)))).toBe(canonicalJson(json));
    }),
  );
  expect(canonicalJson(JSON.parse('[100, 100.0, 1e2, -0]'))).toBe('[100,100,100,0]');
});
