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
    ['a set cookie', { headers: { 'set-cookie': 'session=abcdef123' } }, 'abcdef123'],
  ])('hides a secret in %s', (_where, fields, hidden) => {
    const { logger, lines } = listening();
    logger.error(fields, 'failed');
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(hidden);
    expect(lines.join()).toContain('[hidden]');
  });

  test('hides a secret in its message', () => {
    const { logger, lines } = listening();
    logger.info(`minted ${secret}`);
    expect(lines.join()).not.toContain(secret);
  });
});
