/**
 * Draws pictures of the guides as SVG. Colours are attributes, so that a file looks right by itself; the style sheet of
 * the site replaces them by those of the theme, by class.
 */
const width = 720;
const height = 320;
const frame = { left: 64, right: 16, top: 40, bottom: 48 };
const plot = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };

const colours = {
  line: '#4338ca',
  soft: '#535d70',
  text: '#1d2433',
  warn: '#a11d2b',
  grid: '#d5d9e3',
  area: '#eef0ff',
};
type Ink = keyof typeof colours;

export interface ChartDay {
  readonly day: string;
  readonly value: number;
}

export interface Chart {
  readonly title: string;
  readonly days: readonly ChartDay[];
  /** A second line, dashed. */
  readonly other?: { readonly days: readonly ChartDay[]; readonly label: string };
  readonly label: string;
  readonly marks: readonly { readonly day: string; readonly text: string; readonly rise?: number }[];
  readonly ticks: readonly string[];
  readonly shaded?: { readonly from: string; readonly to: string; readonly text: string };
  readonly max: number;
  readonly step: number;
}

/** The value of each day, with the facts that changed it. */
export function drawChart({ title, days, other, label, marks, ticks, shaded, max, step }: Chart): string {
  const x = (day: string) => frame.left + (days.findIndex((each) => each.day === day) / (days.length - 1)) * plot.width;
  const y = (value: number) => frame.top + plot.height * (1 - value / max);
  const points = (line: readonly ChartDay[]) =>
    line.map(({ day, value }, index) => `${index === 0 ? 'M' : 'L'}${round(x(day))} ${round(y(value))}`).join('');
  const valueOn = (day: string) => days.find((each) => each.day === day)?.value ?? 0;
  const levels = Array.from({ length: max / step + 1 }, (_, index) => index * step);
  const base = y(0);
  return svg(title, width, height, [
    ...(shaded === undefined
      ? []
      : [
          `<rect class="p-warn-area" fill="#fdecee" x="${round(x(shaded.from))}" y="${frame.top}" width="${round(x(shaded.to) - x(shaded.from))}" height="${plot.height}"/>`,
          text(x(shaded.from) + 6, frame.top + 16, shaded.text, 'warn'),
        ]),
    ...levels.flatMap((level) => [
      line(frame.left, y(level), width - frame.right, y(level), 'grid'),
      text(frame.left - 8, y(level) + 4, level.toLocaleString('en-US'), 'soft', 'end'),
    ]),
    `<path class="p-area" fill="${colours.area}" d="${points(days)}L${round(x(days.at(-1)?.day ?? ''))} ${base}L${frame.left} ${base}Z"/>`,
    ...(other === undefined
      ? []
      : [
          `<path class="p-warn-line" fill="none" stroke="${colours.warn}" stroke-width="2" stroke-dasharray="5 4" d="${points(other.days)}"/>`,
        ]),
    `<path class="p-line" fill="none" stroke="${colours.line}" stroke-width="2" d="${points(days)}"/>`,
    ...ticks.flatMap((day) => [
      line(x(day), base, x(day), base + 6, 'soft'),
      text(x(day), base + 22, shortDay(day), 'soft', day === days.at(-1)?.day ? 'end' : 'middle'),
    ]),
    ...marks.flatMap(({ day, text: words, rise = 28 }) => [
      `<circle class="p-dot" fill="${colours.line}" cx="${round(x(day))}" cy="${round(y(valueOn(day)))}" r="4"/>`,
      line(x(day), y(valueOn(day)) - 6, x(day), y(valueOn(day)) - rise + 4, 'soft'),
      text(x(day), y(valueOn(day)) - rise, words, 'text', x(day) > width - 120 ? 'end' : 'start'),
    ]),
    text(frame.left, 22, label, 'line'),
    ...(other === undefined ? [] : [text(width - frame.right, 22, other.label, 'warn', 'end')]),
  ]);
}

export interface Share {
  readonly label: string;
  readonly amount: string;
  readonly value: number;
}

/** One amount divided into shares, each with its label below; narrow shares are drawn at a minimum width. */
export function drawShares(title: string, heading: string, shares: readonly Share[]): string {
  const gap = 4;
  const minWidth = 96;
  const room = width - 2 * frame.right - gap * (shares.length - 1);
  const sum = shares.reduce((total, { value }) => total + value, 0);
  const free = room - minWidth * shares.length;
  let left = frame.right;
  const parts = shares.flatMap(({ label, amount, value }, index) => {
    const share = minWidth + (free * value) / sum;
    const at = left;
    left += share + gap;
    return [
      `<rect class="${index % 2 === 0 ? 'p-area-strong' : 'p-area'}" fill="${index % 2 === 0 ? '#c7ccff' : colours.area}" x="${round(at)}" y="48" width="${round(share)}" height="64" rx="6"/>`,
      text(at + 8, 76, amount, 'text'),
      ...label.split('\n').map((words, row) => text(at + 8, 132 + row * 18, words, 'soft')),
    ];
  });
  return svg(title, width, 172, [text(frame.right, 28, heading, 'text'), ...parts]);
}

export function svg(title: string, w: number, h: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${title}">`;
  return `${head}\n${parts.join('\n')}\n</svg>\n`;
}

export function text(
  x: number,
  y: number,
  words: string,
  ink: Ink,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  return `<text class="p-${ink}-text" fill="${colours[ink]}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, ink: Ink): string {
  return `<path class="p-${ink}-stroke" stroke="${colours[ink]}" d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}"/>`;
}

function shortDay(day: string): string {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
