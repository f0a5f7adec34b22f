import { expect, test } from '@jest/globals';
import { silentLogger } from '#libs/runtime/logging.ts';
import { RequestQueue } from './request-timer.ts';

function requestQueue() {
  return new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 1_000,
    clientId: 'test',
    broker: 'none',
    logger: silentLogger,
  });
}

test('a connection on which no request waits has no timer', () => {
  const queue = requestQueue();
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

test('a request that waits is checked by a timer', () => {
  const queue = requestQueue();
  (queue.pending as unknown[]).push({});
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});
