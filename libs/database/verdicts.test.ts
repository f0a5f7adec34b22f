import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeVerdicts, encodeVerdicts } from '#libs/database/verdicts.ts';
import { refuse } from '#libs/schema/refusals.ts';

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

test('what came of many submissions is told in one message and read apart again', () => {
  const readApart = (text: string) => [
    ...decodeVerdicts(text, (fault) => {
      throw fault;
    }),
  ];
  fc.assert(fc.property(verdicts, (told) => expect(readApart(encodeVerdicts(told))).toEqual(told)));
});
