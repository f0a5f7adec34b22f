import { expect, test } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { RequestFigures } from './request-metrics.ts';

interface Told {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly { readonly labels: object; readonly value: number; readonly metricName?: string }[];
}

/** What prom-client tells where it counts itself. */
function counted() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'lending_requests_total',
    help: 'Requests answered, by route, status and code of refusal.',
    labelNames: ['route', 'status', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'lending_request_seconds',
    help: 'From the first byte of a request to its answer.',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    registers,
  });
  return {
    registry,
    observe(route: string, status: number, code: string | undefined, took: number) {
      requests.inc({ route, status, code: code ?? '' });
      seconds.observe({ route }, took);
    },
  };
}

test('the figures are those of prom-client, as text and to a primary', async () => {
  const [theirs, ours, registry] = [counted(), new RequestFigures(), new Registry()];
  ours.register(registry);
  for (const each of [theirs.registry, registry]) each.setDefaultLabels({ service: 'gateway' });
  const asked: [string, number, string | undefined, number][] = [
    ['none', 503, 'unavailable', 0.0001],
    ['reportReceipt', 201, undefined, 0.002],
    ['reportReceipt', 200, undefined, 0.0021],
    ['reportReceipt', 201, undefined, 5],
    ['reportReceipt', 409, 'contended', 7.5],
    ['none', 503, 'unavailable', 0.3],
    ['none', 404, 'no_route', 0],
  ];
  for (const each of asked) {
    theirs.observe(...each);
    ours.observe(...each);
  }
  const rows = async (of: Registry): Promise<string[]> =>
    (await of.metrics())
      .split('\n')
      .map((row) => row.replace(/\{(.*)\}/, (_, labels) => labels.split(',').sort().join()))
      .sort();
  expect(await rows(registry)).toEqual(await rows(theirs.registry));
  const told = async (of: Registry): Promise<unknown> => {
    const figures = (await of.getMetricsAsJSON()) as unknown as Told[];
    return figures.map(({ name, type, aggregator, values }) => [
      ...[name, type, aggregator],
      values
        .map(({ labels, value, metricName }) => JSON.stringify([metricName, Object.entries(labels).sort(), value]))
        .sort(),
    ]);
  };
  expect(await told(registry)).toEqual(await told(theirs.registry));
});
