import { describe, expect, jest, test } from '@jest/globals';
import { Health } from './health.ts';

function running(): Health {
  const health = new Health();
  health.started();
  return health;
}

const fine = async () => undefined;

describe('a service', () => {
  test('is ready when all it needs is there', async () => {
    const health = running();
    health.add('postgres', fine);
    expect(await health.ready()).toEqual({ status: 'ready', not_ready: [] });
  });

  test('that is not ready names what is missing and nothing else', async () => {
    const health = running();
    health.add('postgres', fine);
    health.add('redis', async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    health.add('kafka', () => new Promise(() => undefined));
    expect(await health.ready()).toEqual({
      status: 'not_ready',
      not_ready: [
        { name: 'redis', reason: 'ECONNREFUSED' },
        { name: 'kafka', reason: 'no answer within 1500 ms' },
      ],
    });
  });

  test('does not tell an address with a password as the reason', async () => {
    const health = running();
    health.add('postgres', async () => {
      throw new Error('postgres://lending:opensesame@h/d is gone');
    });
    expect(JSON.stringify(await health.ready())).not.toContain('opensesame');
  });

  test('that is starting is not ready yet', async () => {
    const health = new Health();
    expect((await health.ready()).not_ready).toEqual([{ name: 'service', reason: 'is starting' }]);
    health.started();
    expect((await health.ready()).status).toBe('ready');
  });

  test('that is stopping is not ready, though all it needs is there', async () => {
    const health = running();
    health.add('postgres', fine);
    await health.ready();
    health.stopping();
    expect((await health.ready()).not_ready).toEqual([{ name: 'service', reason: 'is stopping' }]);
  });

  test('lacks what those lack who do its work, each thing named once', async () => {
    const health = running();
    health.add('workers', fine);
    health.add('redis', async () => {
      throw Object.assign(new Error(), { code: 'OURS' });
    });
    const theirs = [
      { name: 'redis', reason: 'THEIRS' },
      { name: 'postgres', reason: 'ECONNREFUSED' },
    ];
    health.addOthers(async () => theirs);
    expect((await health.ready()).not_ready).toEqual([
      { name: 'redis', reason: 'OURS' },
      { name: 'postgres', reason: 'ECONNREFUSED' },
    ]);
  });

  test('asks what it needs once for many who ask it at once', async () => {
    let asked = 0;
    const health = running();
    health.add('postgres', async () => void asked++);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await Promise.all(Array.from({ length: 50 }, () => health.ready()));
    clock.mockRestore();
    expect(asked).toBe(1);
  });
});
