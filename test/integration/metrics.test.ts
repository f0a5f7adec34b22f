/** The metrics of running services: what alerts and dashboards are made of. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { metricCatalogue } from '#deploy/prometheus/metric-catalogue.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  expect((await tenant.put('/clients/ada', { actor: 'teller', basis: 'walked in' })).status).toBe(201);
  expect((await tenant.get('/clients/ada')).status).toBe(200);
});
afterAll(() => tenant.close());

async function metricsOf(service: 'gateway' | 'processor'): Promise<string> {
  const { operations } = testEnvironment().services;
  return (await fetch(`${operations[service]}/metrics`)).text();
}

test('every metric of the catalogue is exported', async () => {
  const text = (await metricsOf('gateway')) + (await metricsOf('processor'));
  const missing = metricCatalogue().filter(({ name }) => !text.includes(`# TYPE ${name} `));
  expect(missing).toEqual([]);
});

test('a write is measured in each of its stages', async () => {
  const gateway = await metricsOf('gateway');
  for (const stage of ['append', 'verdict']) {
    expect(gateway).toMatch(new RegExp(`lending_submission_stage_seconds_count\\{.*stage="${stage}".*\\} [1-9]`));
  }
  await eventually(async () => {
    const processor = await metricsOf('processor');
    return ['decode', 'load', 'decide', 'commit', 'verdict', 'publish'].every((stage) =>
      new RegExp(`lending_processor_stage_seconds_count\\{.*stage="${stage}".*\\} [1-9]`).test(processor),
    );
  });
});

test('each partition has an owner, an offset and a lag', async () => {
  await eventually(async () => {
    const text = await metricsOf('processor');
    return ['epoch', 'offset', 'lag'].every((name) => {
      const series = [...text.matchAll(new RegExp(`^lending_partition_${name}\\{.*partition="\\d+".*\\} \\d+$`, 'gm'))];
      return series.length === partitionCount;
    });
  });
});
