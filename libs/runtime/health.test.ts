import { describe, expect, jest, test } from '@jest/globals';
import type { Gauge } from 'prom-client';
import { Health } from './health.ts';
import { metrics, reportDegradation, reportReadiness } from './metrics-registry.ts';

function running(): Health {
  const health = new Health();
  health.markStarted();
  return health;
}

const succeeds = async () => undefined;
const refuses = async () => {
  throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
};

describe('a service', () => {
  test('is ready when all checks succeed', async () => {
    const health = running();
    health.addCheck('postgres', succeeds);
    expect(await health.readiness()).toEqual({ status: 'ready', not_ready: [], degraded: [] });
  });

  test('that is not ready names the failed checks only', async () => {
    const health = running();
    health.addCheck('postgres', succeeds);
    health.addCheck('redis', async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    health.addCheck('kafka', () => new Promise(() => undefined));
    expect(await health.readiness()).toEqual({
      status: 'not_ready',
      not_ready: [
        { name: 'redis', reason: 'ECONNREFUSED' },
        { name: 'kafka', reason: 'no answer within 1500 ms' },
      ],
      degraded: [],
    });
  });

  test('does not reveal an address with a password', async () => {
    const health = running();
    health.addCheck('postgres', async () => {
      throw new Error('postgres://lending:opensesame@h/d is gone');
    });
    expect(JSON.stringify(await health.readiness())).not.toContain('opensesame');
  });

  test('that is starting is not ready', async () => {
    const health = new Health();
    expect((await health.readiness()).not_ready).toEqual([{ name: 'service', reason: 'is starting' }]);
    health.markStarted();
    expect((await health.readiness()).status).toBe('ready');
  });

  test('is ready without a dependency that it does not need, and reports it as degraded', async () => {
    const health = running();
    health.addCheck('postgres', succeeds);
    health.addCheck('redis', refuses, 'nothing');
    expect(await health.readiness()).toEqual({
      status: 'ready',
      not_ready: [],
      degraded: [{ name: 'redis', reason: 'ECONNREFUSED' }],
    });
  });

  test('needs a dependency of the start until it has started', async () => {
    const health = new Health();
    health.addCheck('registry', refuses, 'starting');
    expect((await health.readiness()).not_ready.map(({ name }) => name)).toEqual(['registry', 'service']);
    health.markStarted();
    expect(await health.readiness()).toMatchObject({ status: 'ready', degraded: [{ name: 'registry' }] });
  });

  test('shows in a metric what is degraded', async () => {
    const health = running();
    health.addCheck('postgres', refuses);
    health.addCheck('redis', refuses, 'nothing');
    health.addCheck('registry', succeeds, 'starting');
    reportDegradation(health);
    const { values } = await (metrics.getSingleMetric('lending_dependency_degraded') as Gauge).get();
    expect(values.map(({ labels, value }) => [labels['dependency'], value])).toEqual([
      ['redis', 1],
      ['registry', 0],
    ]);
  });

  test('shows in a metric whether it is ready', async () => {
    const health = running();
    reportReadiness(health);
    const readiness = async (): Promise<number[]> => {
      const { values } = await (metrics.getSingleMetric('lending_ready') as Gauge).get();
      return values.map(({ value }) => value);
    };
    expect(await readiness()).toEqual([1]);
    health.markStopping();
    expect(await readiness()).toEqual([0]);
  });

  test('reports what its workers lack as degraded', async () => {
    const health = running();
    health.addCheck('registry', refuses, 'starting');
    health.addSource(async () => ({ not_ready: [], degraded: [{ name: 'redis', reason: 'THEIRS' }] }));
    const { status, degraded } = await health.readiness();
    expect([status, degraded.map(({ name }) => name)]).toEqual(['ready', ['registry', 'redis']]);
  });

  test('that is stopping is not ready although all checks succeed', async () => {
    const health = running();
    health.addCheck('postgres', succeeds);
    await health.readiness();
    health.markStopping();
    expect((await health.readiness()).not_ready).toEqual([{ name: 'service', reason: 'is stopping' }]);
  });

  test('reports what its workers are missing, each dependency once', async () => {
    const health = running();
    health.addCheck('workers', succeeds);
    health.addCheck('redis', async () => {
      throw Object.assign(new Error(), { code: 'OURS' });
    });
    const ofWorkers = [
      { name: 'redis', reason: 'THEIRS' },
      { name: 'postgres', reason: 'ECONNREFUSED' },
    ];
    health.addSource(async () => ({ not_ready: ofWorkers, degraded: [] }));
    expect((await health.readiness()).not_ready).toEqual([
      { name: 'redis', reason: 'OURS' },
      { name: 'postgres', reason: 'ECONNREFUSED' },
    ]);
  });

  test('runs its checks once for many simultaneous requests', async () => {
    let checks = 0;
    const health = running();
    health.addCheck('postgres', async () => void checks++);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await Promise.all(Array.from({ length: 50 }, () => health.readiness()));
    clock.mockRestore();
    expect(checks).toBe(1);
  });
});
