import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, type Json, type JsonObject, parseJsonBody } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const inexactNumberPaths = [['context'], ['receipts', '*', 'context']];
const parsed = (text: string): unknown => parseJsonBody(Buffer.from(text), inexactNumberPaths);
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test.each([
  ['no bytes', ''],
  ['only white space', ' \n'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['two objects', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{"a":1 /* one */}'],
  ['a leading zero', '{"a":01}'],
  ['a bare point', '{"a":1.}'],
  ['NaN', '{"a":NaN}'],
  ['a control character in a string', '{"a":"\n"}'],
  ['a byte order mark', '\ufeff{}'],
  ['a duplicate name', '{"a":1,"a":2}'],
  ['a duplicate name with the same value', '{"a":1,"a":1}'],
  ['a duplicate name, once escaped', '{"a":1,"\\u0061":1}'],
  ['a duplicate name in a nested object', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}'],
  ['a duplicate name before and after an object', '{"a":{"b":{"c":1}},"a":0}'],
  ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}'],
  ['a lone high surrogate', '{"a":"\\ud800"}'],
  ['a lone low surrogate', '{"a":"\\uDC00 x"}'],
  ['surrogates in the wrong order', '{"a":"\\udc00\\ud800"}'],
  ['a lone surrogate in a name', '{"\\ud800":1}'],
  ['an integer of 2^53', '{"a":9007199254740992}'],
  ['an integer that a double rounds', '{"a":9007199254740993}'],
  ['an integer of -2^53', '{"a":-9007199254740992}'],
  ['an inexact integer with an exponent', '{"a":1e16}'],
  ['an inexact integer with a decimal point', '{"a":9007199254740993.0}'],
  ['a number too large for a double', '{"a":1e400}'],
  ['a number too large for a double, in context', '{"context":{"a":1e400}}'],
  ['nesting of 33', nested(33)],
])('a body with %s is refused', (_, text) => {
  const refusal = parsed(text);
  expect(isRefusal(refusal) && refusal.code).toBe('invalid_body');
});

test.each([
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
  ['a lone continuation', [0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
])('a body that is not UTF-8 is refused: %s', (_, bytes) => {
  const refusal = parseJsonBody(Buffer.from([...Buffer.from('{"a":"'), ...bytes, ...Buffer.from('"}')]));
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
])('%s is parsed to its value', (text, value) => {
  expect(parsed(text)).toEqual(value);
});

test.each([
  '1.00000000000000000001',
  '9007199254740992.5',
  '1e-400',
  '0.99999999999999999999',
  '123456789012345678e-1',
])('the fraction %s is not rounded to a whole number', (text) => {
  expect(parsed(`{"a":{"b":[0,${text}]}}`)).toEqual({ a: { b: [0, Number.NaN] } });
  expect(parsed(`{"amount":{"minor_units":${text}}}`)).toEqual({ amount: { minor_units: Number.NaN } });
});

test('a body may be nested 32 deep, itself included', () => {
  expect(parsed(nested(32))).toHaveProperty('a');
  expect(isRefusal(parsed(nested(3_000_000)))).toBe(true);
});

test('the refusal of an inexact number has its JSON pointer', () => {
  expect(parsed('{"a/b":[{"~":1e30}]}')).toMatchObject({ details: { field: '/a~1b/0/~0' } });
});

test('a member called __proto__ is an ordinary member', () => {
  const body = parsed('{"__proto__":{"reference":"r"}}') as JsonObject;
  expect(Object.keys(body)).toEqual(['__proto__']);
  expect(body['reference']).toBeUndefined();
});

test('every JSON object is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 })), (object) => {
      const text = JSON.stringify(object);
      expect(parseJsonBody(Buffer.from(text), [[]])).toEqual(JSON.parse(text));
    }),
  );
});

test('the example of RFC 8785 is written as published', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('canonical JSON orders names by UTF-16 units', () => {
  const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});

test('canonical JSON does not depend on member order or number format', () => {
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

/** Long enough to be parsed element by element. */
const padding = ' '.repeat(300 * 1024);
const paths = [['context'], ['receipts', '*', 'context']];

/** Of several invalid numbers another one may be named. */
function expectSameWhenLong(text: string): void {
  const [long, short] = [text + padding, text].map((body) => parseJsonBody(Buffer.from(body), paths));
  if (isRefusal(short)) expect(long).toMatchObject({ code: short.code });
  else expect(long).toEqual(short);
}

test.each([
  '{"receipts":[{"a":1},{"b":{"c":[{}]}}],"x":{"y":[{"z":0}]}}',
  '{"receipts":[{"a":1}],"receipts":[{"a":1}]}',
  '{"receipts":[{"a":1}],"receipts":[5]}',
  '{"receipts":[{"a":1,"a":2}]}',
  '{"receipts":[{}],"others":[{}]}',
  '{"receipts":[{},5,{}]}',
  '{"receipts":[[{}],{"a":"}"}]}',
  '{"receipts":[{"a":"\\ud800"}]}',
  '{"receipts":[1{}]}',
  '{"receipts":[{}{}]}',
  '{"receipts":[{]}',
  '{"receipts":[{"a":1]]}',
  '{"receipts":[{"a":1}',
  '{"receipts":[{"a":1',
  '[{"receipts":[{}]}]',
  '{"receipts":[{"context":{"n":9007199254740993}},{"context":{"n":1e400}}]}',
  '{"receipts":[{},{"n":9007199254740993}]}',
  '{"receipts":[{},{"n":9007199254740993,"minor_units":9007199254740993},{"n":1.00000000000000000001}]}',
])('a long body is parsed like a short one: %s', expectSameWhenLong);

test('any long body is parsed like a short one, also with a character missing or repeated', () => {
  const receipt = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }));
  const body = fc.record({ receipts: fc.array(receipt, { maxLength: 4 }), x: fc.jsonValue({ maxDepth: 2 }) });
  fc.assert(
    fc.property(body, fc.nat(), fc.constantFrom(0, 1, 2), (value, position, copies) => {
      const text = JSON.stringify(value);
      const at = position % text.length;
      expectSameWhenLong(text);
      expectSameWhenLong(text.slice(0, at) + (text[at] as string).repeat(copies) + text.slice(at + 1));
    }),
    { numRuns: 200 },
  );
});
