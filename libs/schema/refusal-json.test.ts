import { expect, test } from '@jest/globals';
import { envelope } from '#libs/api/error-envelope.ts';
import { hearRefusal, sayRefusal } from '#libs/schema/refusal-json.ts';
import { catalogue, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

const said = { code: 'a_new_code', status: 409, retry: 'after_record', says: 'Something new.' } as const;

test('every refusal is heard as it was said, by a release that said no more than its code as well', () => {
  for (const code of Object.keys(catalogue) as RefusalCode[]) {
    const refusal = refuse(code);
    expect(hearRefusal(JSON.parse(JSON.stringify(sayRefusal(refusal))))).toEqual(refusal);
    expect(hearRefusal({ code })).toEqual(refusal);
  }
});

test('one that is not known here is answered with what was said, and may be said once more', () => {
  const heard = hearRefusal({ ...said, details: { bound: 3 } });
  const { says, status, ...told } = said;
  expect(heard.status).toBe(status);
  expect(envelope(heard, 'r')).toEqual({ ...told, error: says, details: { bound: 3 }, request_id: 'r' });
  expect(sayRefusal(heard)).toEqual({ ...said, details: { bound: 3 } });
});

test('it is not passed on where what a caller branches on is not said, or it names a fault of the service', () => {
  for (const wrong of [
    { status: 503 },
    { status: 200 },
    { status: '409' },
    { retry: 'soon' },
    { retry: 'toString' },
    { says: 1 },
  ]) {
    expect(() => hearRefusal({ ...said, ...wrong } as never)).toThrow(TypeError);
  }
});
