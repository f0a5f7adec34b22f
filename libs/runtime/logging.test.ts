import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createLogger, formatForTerminal, withRequestId } from './logging.ts';

function recordingLogger() {
  const lines: string[] = [];
  const logger = createLogger('ingress', 'info', { write: (line) => void lines.push(line) });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

const event = 'service.started';
const secret = 'lsk_live_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXU';

describe('a log line', () => {
  test('carries the id of its request, also in asynchronous work', async () => {
    const { logger, lines } = recordingLogger();
    const answer = (id: string, ms: number) =>
      withRequestId(id, async () => {
        await sleep(ms);
        logger.info({ event }, 'answered');
      });
    await Promise.all([answer('one', 2), answer('two', 1)]);
    logger.info({ event }, 'idle');
    const ids = lines.map((line) => (JSON.parse(line) as { request_id?: string }).request_id);
    expect(ids.toSorted()).toEqual(['one', 'two', undefined]);
  });

  test('carries the trace of its request, where it has one', () => {
    const { logger, last } = recordingLogger();
    withRequestId('one', () => logger.info({ event }, 'answered'), 'a trace');
    expect(last()).toMatchObject({ request_id: 'one', trace_id: 'a trace' });
  });

  test('names the service, the event and the level', () => {
    const { logger, last } = recordingLogger();
    logger.warn({ event }, 'slow');
    expect(last()).toMatchObject({ service: 'ingress', level: 'warn', event, msg: 'slow' });
  });

  test.each([
    ['a header', { headers: { authorization: 'Lending fp=ab, sig=MEUCIQDx' } }, 'MEUCIQDx'],
    ['a field named secret', { secret }, secret],
    ['a text in another field', { note: `the key ${secret} came` }, secret],
    [
      'the cause of an error',
      { err: new Error('no', { cause: new Error(`postgres://lending:opensesame@h/d`) }) },
      'opensesame',
    ],
    ['an address whose password holds an @', { note: 'postgres://u:open@sesame@h/d' }, 'sesame'],
    ['an address with a password and no user', { note: 'redis://opensesame@h:1/0' }, 'opensesame'],
    ['the query of an address', { note: 'postgres://h/d?user=u&password=opensesame&ssl=true' }, 'opensesame'],
    ['a quoted password', { note: "host=h password='open sesame' user=u" }, 'sesame'],
    ['a text with quotes', { note: 'sent password="opensesame" and token=\'"' }, 'opensesame'],
    ['a deeply nested field', { a: { b: { c: { d: { password: 'open "sesame' } } } } }, 'sesame'],
    ['a deeply nested list', { a: { b: { c: { d: { cookie: ['a=1', 'b=opensesame'] } } } } }, 'opensesame'],
    ['a deeply nested number', { a: { b: { c: { d: { password: 1234567 } } } } }, '1234567'],
    ['a set cookie', { headers: { 'set-cookie': 'session=abcdef123' } }, 'abcdef123'],
  ])('hides a secret in %s', (_where, fields, hidden) => {
    const { logger, lines } = recordingLogger();
    logger.error({ event, ...fields }, 'failed');
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(hidden);
    expect(lines.join()).toContain('[hidden]');
    expect(() => JSON.parse(lines.join())).not.toThrow();
  });

  test('keeps the rest of a text in which a secret is hidden', () => {
    const { logger, last } = recordingLogger();
    logger.error(
      { event, note: 'no way to postgres://u:open@sesame@h:5432/d?password=x&ssl=true or redis://y@r:1' },
      'failed',
    );
    expect(last()['note']).toBe(
      'no way to postgres://u:[hidden]@h:5432/d?password=[hidden]&ssl=true or redis://[hidden]@r:1',
    );
  });

  test('leaves addresses and names without secrets unchanged', () => {
    const { logger, last } = recordingLogger();
    const note = 'at https://h:8080/metrics?design=a and file:///a/@scope/b.ts:1:2, kafka a:1,b:2, ada@example.com';
    logger.info({ event, note, tokens: 3, secretary: 'Ada' }, 'connected');
    expect(last()).toMatchObject({ note, tokens: 3, secretary: 'Ada' });
  });

  test('hides a secret in its message', () => {
    const { logger, lines } = recordingLogger();
    logger.info({ event }, `generated ${secret}`);
    expect(lines.join()).not.toContain(secret);
  });
});

test('on a terminal a line is text: time, level, service, event, message and fields, then the stack of an error', () => {
  const { logger, lines } = recordingLogger();
  logger.error({ event: 'http.request_failed', err: new Error('broken'), status: 500 }, 'request failed');
  const [first, second] = formatForTerminal(lines[0] ?? '').split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} error ingress http\.request_failed - request failed status=500$/);
  expect(second).toBe('  Error: broken');
});
