import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createLogger, withRequestId } from './logging.ts';

function listening() {
  const lines: string[] = [];
  const logger = createLogger('ingress', 'info', { write: (line) => void lines.push(line) });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

const secret = 'lsk_live_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXU';

describe('a log line', () => {
  test('carries the id of the request it was written for, however late', async () => {
    const { logger, lines } = listening();
    const answer = (id: string, ms: number) =>
      withRequestId(id, async () => {
        await sleep(ms);
        logger.info('answered');
      });
    await Promise.all([answer('one', 2), answer('two', 1)]);
    logger.info('idle');
    const ids = lines.map((line) => (JSON.parse(line) as { request_id?: string }).request_id);
    expect(ids.toSorted()).toEqual(['one', 'two', undefined]);
  });

  test('names the service and the level in words', () => {
    const { logger, last } = listening();
    logger.warn('slow');
    expect(last()).toMatchObject({ service: 'ingress', level: 'warn', msg: 'slow' });
  });

  test.each([
    ['a header', { headers: { authorization: 'Lending fp=ab, sig=MEUCIQDx' } }, 'MEUCIQDx'],
    ['a member of its own name', { secret }, secret],
    ['a member of another name', { note: `the key ${secret} came` }, secret],
    [
      'the cause of an error',
      { err: new Error('no', { cause: new Error(`postgres://lending:opensesame@h/d`) }) },
      'opensesame',
    ],
    ['an address whose password holds an @', { note: 'postgres://u:open@sesame@h/d' }, 'sesame'],
    ['an address that names nobody but by it', { note: 'redis://opensesame@h:1/0' }, 'opensesame'],
    ['what is asked of an address', { note: 'postgres://h/d?user=u&password=opensesame&ssl=true' }, 'opensesame'],
    ['words between quotes', { note: "host=h password='open sesame' user=u" }, 'sesame'],
    ['a text that is JSON itself', { note: 'sent password="opensesame" and token=\'"' }, 'opensesame'],
    ['a member however deep', { a: { b: { c: { d: { password: 'open "sesame' } } } } }, 'sesame'],
    ['a list of them however deep', { a: { b: { c: { d: { cookie: ['a=1', 'b=opensesame'] } } } } }, 'opensesame'],
    ['a number however deep', { a: { b: { c: { d: { password: 1234567 } } } } }, '1234567'],
    ['a set cookie', { headers: { 'set-cookie': 'session=abcdef123' } }, 'abcdef123'],
  ])('hides a secret in %s', (_where, fields, hidden) => {
    const { logger, lines } = listening();
    logger.error(fields, 'failed');
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(hidden);
    expect(lines.join()).toContain('[hidden]');
    expect(() => JSON.parse(lines.join())).not.toThrow();
  });

  test('tells the rest of a line that hides one', () => {
    const { logger, last } = listening();
    logger.error(
      { note: 'no way to postgres://u:open@sesame@h:5432/d?password=x&ssl=true or redis://y@r:1' },
      'failed',
    );
    expect(last()['note']).toBe(
      'no way to postgres://u:[hidden]@h:5432/d?password=[hidden]&ssl=true or redis://[hidden]@r:1',
    );
  });

  test('tells addresses and names in which nothing is hidden as they are', () => {
    const { logger, last } = listening();
    const note = 'at https://h:8080/metrics?design=a and file:///a/@scope/b.ts:1:2, kafka a:1,b:2, ada@example.com';
    logger.info({ note, tokens: 3, secretary: 'Ada' }, 'told');
    expect(last()).toMatchObject({ note, tokens: 3, secretary: 'Ada' });
  });

  test('hides a secret in its message', () => {
    const { logger, lines } = listening();
    logger.info(`minted ${secret}`);
    expect(lines.join()).not.toContain(secret);
  });
});
