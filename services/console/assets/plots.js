/** Draws the plots of a page with uPlot from their `data-plot`, in the colours of the page. */
const { uPlot } = globalThis;
const height = 240;
const oneDay = 86_400;
/** Steps between days of the axis: whole days, months and years as uPlot counts them. Shorter ones would repeat a day. */
const daySteps = [
  ...[1, 2, 3, 5, 7, 10, 15].map((days) => days * oneDay),
  ...[1, 2, 3, 4, 6].map((months) => months * 30 * oneDay),
  ...[1, 2, 5, 10, 25, 50, 100].map((years) => years * 365 * oneDay),
];
const areas = [...document.querySelectorAll('[data-plot]')];
const isDark = matchMedia('(prefers-color-scheme: dark)');

/** Exact amounts are in the table below; the drawing may round. */
function valueFormat({ locale, currency, currencyDisplay }) {
  if (currency === undefined) return { format: new Intl.NumberFormat(locale), scale: 1 };
  const money = { style: 'currency', currency, currencyDisplay };
  const digits = new Intl.NumberFormat(locale, money).resolvedOptions().maximumFractionDigits;
  return { format: new Intl.NumberFormat(locale, money), scale: 10 ** digits };
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    lines: [read('--plot-first'), read('--plot-second')],
    text: read('--pico-muted-color'),
    grid: read('--plot-grid'),
  };
}

function seriesOf(data, { lines }, { format, scale }) {
  const paths = data.kind === 'bars' ? uPlot.paths.bars({ size: [0.6, 40] }) : uPlot.paths.stepped({ align: 1 });
  return data.series.map(({ label }, index) => ({
    label,
    stroke: lines[index],
    fill: data.kind === 'bars' || data.series.length === 1 ? `${lines[index]}26` : undefined,
    width: 2,
    dash: index === 0 ? undefined : [6, 4],
    paths,
    points: { show: data.kind !== 'bars' && data.days.length < 40, size: 5 },
    value: (_plot, value) => (value === null || value === undefined ? '' : format.format(value / scale)),
  }));
}

/** Bars need room at both ends, and a single point needs a span of days. */
function padded(min, max, kind) {
  const pad = kind === 'bars' ? Math.max((max - min) / 12, 5 * oneDay) : 0;
  return min === max ? [min - 5 * oneDay, max + 5 * oneDay] : [min - pad, max + pad];
}

/** From zero. Where nothing is above it: 100 units of the currency, or 10 days. */
function upTo(max, { currency }, { scale }) {
  if (max <= 0) return [0, currency === undefined ? 10 : 100 * scale];
  return [0, Math.max(max * 1.08, scale)];
}

/** Whole units of the currency, or days. */
function unitSteps({ scale }) {
  return Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power * scale)).flat();
}

function draw(area) {
  const data = JSON.parse(area.dataset.plot);
  const palette = colours();
  const values = valueFormat(data);
  const day = new Intl.DateTimeFormat(data.locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const short = new Intl.DateTimeFormat(data.locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  const withDay = new Intl.DateTimeFormat(data.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const axis = { stroke: palette.text, grid: { stroke: palette.grid, width: 1 }, ticks: { stroke: palette.grid } };
  const compact = new Intl.NumberFormat(data.locale, { notation: 'compact' });
  area.replaceChildren();
  const options = {
    width: area.clientWidth,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    scales: {
      // Of a single day uPlot makes a thousand.
      x: { range: (_plot, min, max) => padded(min, data.days.length === 1 ? min : max, data.kind) },
      y: { range: (_plot, _min, max) => upTo(max, data, values) },
    },
    axes: [
      {
        ...axis,
        incrs: daySteps,
        values: (_plot, splits, _axis, _space, increment) =>
          splits.map((seconds) => (increment < 30 * oneDay ? withDay : short).format(seconds * 1_000)),
      },
      {
        ...axis,
        size: 64,
        incrs: unitSteps(values),
        values: (_plot, splits) => splits.map((value) => compact.format(value / values.scale)),
      },
    ],
    series: [
      { label: data.dayLabel, value: (_plot, seconds) => (seconds === null ? '' : day.format(seconds * 1_000)) },
      ...seriesOf(data, palette, values),
    ],
  };
  const seconds = data.days.map((each) => Date.parse(`${each}T00:00:00Z`) / 1_000);
  return new uPlot(options, [seconds, ...data.series.map((each) => each.values)], area);
}

function drawAll() {
  for (const [area, plot] of plots) {
    plot?.destroy();
    plots.set(area, draw(area));
  }
}

const plots = new Map(areas.map((area) => [area, undefined]));
drawAll();
isDark.addEventListener('change', drawAll);
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const plot = plots.get(target);
    if (plot !== undefined && plot.width !== target.clientWidth) plot.setSize({ width: target.clientWidth, height });
  }
});
for (const area of areas) sizes.observe(area);
