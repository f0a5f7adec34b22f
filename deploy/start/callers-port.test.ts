import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { freePort, isFree } from '#deploy/stack/ports.ts';
import { callersPort } from './callers-port.ts';

async function whileTaken<Result>(port: number, work: () => Promise<Result>): Promise<Result> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  try {
    return await work();
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

describe('the port callers come to', () => {
  test('is the one told', async () => {
    const told = await freePort();
    expect(await callersPort({ PORT: String(told) })).toBe(told);
  });

  test('is not another than the one told where that is taken', async () => {
    const told = await freePort();
    await whileTaken(told, () =>
      expect(callersPort({ PORT: String(told) })).rejects.toThrow(`PORT is ${told}, which is taken`),
    );
  });

  test.each(['eighty', '80.5', '65536', '-1'])('is told by a number and not by %s', async (PORT) => {
    await expect(callersPort({ PORT })).rejects.toThrow('PORT is not a whole number from 0 to 65535');
  });

  test.each([{}, { PORT: '' }, { PORT: '0' }])('is a free one where none is told: %p', async (env) => {
    expect(await isFree(await callersPort(env))).toBe(true);
  });
});
