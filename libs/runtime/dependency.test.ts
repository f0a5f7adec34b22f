import { describe, expect, test } from '@jest/globals';
import { DependencyUnavailableError, waitForDependency } from './dependency.ts';

/** Fails with each error in turn, then opens. */
function opening(...errors: readonly Error[]) {
  const remaining = [...errors];
  return async () => {
    const error = remaining.shift();
    if (error !== undefined) throw error;
    return 'opened';
  };
}

function recordingLogger() {
  const messages: string[] = [];
  return { messages, logger: { warn: (_fields: object, message: string) => void messages.push(message) } };
}

const unavailable = new DependencyUnavailableError('keys');
const notRegistered = Object.assign(new Error('404'), { name: 'SchemaNotRegisteredError', isRetryable: true });

describe('a dependency that is needed to start', () => {
  test('is retried until it is available, and both are logged once', async () => {
    const { messages, logger } = recordingLogger();
    const open = opening(unavailable, unavailable, unavailable);
    expect(await waitForDependency('the keys', open, logger)).toBe('opened');
    expect(messages).toEqual(['the keys: unavailable; retrying until it answers', 'the keys: available']);
  });

  test('is logged again when it fails in another way', async () => {
    const { messages, logger } = recordingLogger();
    await waitForDependency('the keys', opening(unavailable, notRegistered, unavailable, notRegistered), logger);
    const waiting = 'the keys: unavailable; retrying until it answers';
    expect(messages).toEqual([waiting, waiting, 'the keys: available']);
  });

  test('is opened without a log line if it is available immediately', async () => {
    const { messages, logger } = recordingLogger();
    expect(await waitForDependency('the keys', opening(), logger)).toBe('opened');
    expect(messages).toEqual([]);
  });

  test.each([
    ['a refusal of the dependency', Object.assign(new Error('409'), { isRetryable: false })],
    ['a bug', new TypeError('x is undefined')],
    ['a missing table', Object.assign(new Error('relation does not exist'), { code: '42P01' })],
  ])('is not retried after %s', async (_what, failure) => {
    const { messages, logger } = recordingLogger();
    await expect(waitForDependency('the keys', opening(failure), logger)).rejects.toBe(failure);
    expect(messages).toEqual([]);
  });
});
