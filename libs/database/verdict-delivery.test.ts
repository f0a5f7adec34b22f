import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { refuse } from '#libs/schema/refusals.ts';
import { decodeVerdicts, encodeVerdicts } from './verdict-delivery.ts';

const answer = fc.record({ status: fc.constantFrom(200, 201), body: fc.json() });
const refusal = fc.constantFrom(
  refuse('contended'),
  refuse('reference_reused', { recorded_id: 'ü' }),
  refuse('invalid_event', { bound: '2026-01-01', observed: { minor_units: 1 } }),
);
const verdicts = fc.array(
  fc.record({ requestId: fc.uuid(), item: fc.nat(1_000), outcome: fc.oneof(answer, refusal) }),
  { maxLength: 20 },
);

test('verdicts of many submissions are decoded from one message as they were encoded', () => {
  const decode = (text: string) => [
    ...decodeVerdicts(text, (cause) => {
      throw cause;
    }),
  ];
  fc.assert(fc.property(verdicts, (sent) => expect(decode(encodeVerdicts(sent))).toEqual(sent)));
});
