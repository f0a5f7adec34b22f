import { expect, test } from '@jest/globals';
import { refusalBody, refusalFromJson, refusalToJson } from '#libs/schema/refusal-json.ts';
import { catalogue, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

const newerRefusal = { code: 'a_new_code', status: 409, retry: 'after_record', says: 'Something new.' } as const;

test('a known refusal is read back unchanged, also from its code alone', () => {
  for (const code of Object.keys(catalogue) as RefusalCode[]) {
    const refusal = refuse(code);
    expect(refusalFromJson(JSON.parse(JSON.stringify(refusalToJson(refusal))))).toEqual(refusal);
    expect(refusalFromJson({ code })).toEqual(refusal);
  }
});

test('an unknown code is answered as its sender described it, and can be passed on', () => {
  const read = refusalFromJson({ ...newerRefusal, details: { bound: 3 } });
  const { says, status, ...members } = newerRefusal;
  expect(read.status).toBe(status);
  expect(refusalBody(read, 'r')).toEqual({ ...members, error: says, details: { bound: 3 }, request_id: 'r' });
  expect(refusalToJson(read)).toEqual({ ...newerRefusal, details: { bound: 3 } });
});

test('an unknown code without a 4xx status, retry and message is an error', () => {
  for (const wrong of [
    { status: 503 },
    { status: 200 },
    { status: '409' },
    { retry: 'soon' },
    { retry: 'toString' },
    { says: 1 },
  ]) {
    expect(() => refusalFromJson({ ...newerRefusal, ...wrong } as never)).toThrow(TypeError);
  }
});
