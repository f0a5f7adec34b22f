import { describe, expect, test } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { headersBelow, isTracing, startChildSpan, traceIdIn } from './tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('the trace id of a traceparent', () => {
  test.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `cc-${traceId}-${spanId}-01-what-follows`])(
    '%s is read',
    (traceparent) => {
      expect(traceIdIn(traceparent)).toBe(traceId);
    },
  );

  test.each([
    undefined,
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    ` 00-${traceId}-${spanId}-01`,
  ])('%s is malformed', (traceparent) => {
    expect(traceIdIn(traceparent)).toBeUndefined();
  });
});

test('without a collector nothing is recorded', () => {
  expect(isTracing()).toBe(false);
  expect(startChildSpan('append', SpanKind.PRODUCER, {})).toBeUndefined();
  expect(headersBelow(undefined)).toBeUndefined();
});
