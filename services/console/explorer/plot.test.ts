/** The script that draws plots, with a uPlot that keeps what it is given. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';

const script = readFileSync(new URL('../assets/plots.js', import.meta.url), 'utf8');

interface DrawnOptions {
  readonly scales: Readonly<Record<'x' | 'y', { range(plot: null, min: number, max: number): readonly number[] }>>;
  readonly axes: readonly { readonly incrs: readonly number[] }[];
}

function draw(data: object): DrawnOptions {
  let drawn: DrawnOptions | undefined;
  class UPlot {
    static readonly paths = { bars: () => null, stepped: () => null };
    constructor(options: DrawnOptions) {
      drawn = options;
    }
  }
  const plot = { kind: 'steps', locale: 'en', days: ['2026-11-26', '2026-11-27'], series: [], ...data };
  const area = { dataset: { plot: JSON.stringify(plot) }, clientWidth: 600, replaceChildren: () => undefined };
  const page = {
    uPlot: UPlot,
    document: { querySelectorAll: () => [area], documentElement: {} },
    matchMedia: () => ({ addEventListener: () => undefined }),
    getComputedStyle: () => ({ getPropertyValue: () => '' }),
    ResizeObserver: class {
      observe = () => undefined;
    },
  };
  runInContext(script, createContext(page));
  return drawn as DrawnOptions;
}

const inPesos = { currency: 'MXN', currencyDisplay: 'narrowSymbol' };

test('the days of a plot are marked by whole days', () => {
  const [days] = draw(inPesos).axes;
  expect(days?.incrs[0]).toBe(86_400);
  expect(days?.incrs).toEqual(days?.incrs.map((step) => Math.round(step / 86_400) * 86_400).sort((a, b) => a - b));
});

test('a plot of a single day shows the days around it', () => {
  const day = Date.parse('2026-11-26T00:00:00Z') / 1_000;
  const { x } = draw({ ...inPesos, days: ['2026-11-26'] }).scales;
  // uPlot passes its own end of the axis.
  expect([...x.range(null, day, day + 86_400_000)]).toEqual([day - 5 * 86_400, day + 5 * 86_400]);
});

test('a plot of nothing goes up to 100 pesos, or 10 days, in whole ones', () => {
  for (const [data, range, step] of [
    [inPesos, [0, 10_000], 100],
    [{}, [0, 10], 1],
  ] as const) {
    const { scales, axes } = draw(data);
    expect([...scales.y.range(null, 0, 0)]).toEqual(range);
    expect(axes[1]?.incrs[0]).toBe(step);
  }
});

test('a plot of centavos has at least one peso', () => {
  const { y } = draw(inPesos).scales;
  expect([...y.range(null, 0, 3)]).toEqual([0, 100]);
  expect([...y.range(null, 0, 100_000)]).toEqual([0, 108_000]);
});
