/** Draws a CPU profile of V8 as a flame graph: the width of a box is the time in a function and in what it calls. */

/** As `--cpu-prof` writes it. Times are in microseconds of the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Frame {
  readonly name: string;
  /** Microseconds in the function itself. */
  own: number;
  /** With what it calls. */
  total: number;
  readonly children: Map<string, Frame>;
}

const width = 1_400;
const rowHeight = 16;
/** Narrower boxes are left out. */
const minBoxWidth = 2;
const characterWidth = 6.6;
const notRunning: ReadonlySet<string> = new Set(['(idle)', '(program)']);

/** The samples between two moments, as one tree. The same function called from the same place is one frame. */
export function frameTree({ nodes, startTime, samples, timeDeltas }: CpuProfile, from: number, to: number): Frame {
  const own = new Map<number, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at >= from && at <= to) own.set(id, (own.get(id) ?? 0) + delta);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const build = (id: number, parent: Map<string, Frame>): number => {
    const node = byId.get(id);
    if (node === undefined) throw new Error(`the profile has no node ${id}`);
    const name = nameOf(node.callFrame);
    if (notRunning.has(name)) return 0;
    const frame = parent.get(name) ?? { name, own: 0, total: 0, children: new Map() };
    parent.set(name, frame);
    let total = own.get(id) ?? 0;
    frame.own += total;
    for (const child of node.children ?? []) total += build(child, frame.children);
    frame.total += total;
    return total;
  };
  const roots = new Map<string, Frame>();
  build(nodes[0]?.id ?? 0, roots);
  const [root] = roots.values();
  if (root === undefined) throw new Error('the profile is empty');
  return root;
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*?\/(?=(?:libs|services|test)\/)/, '');
  const name = functionName === '' ? 'anonymous' : functionName;
  return file === '' ? name : `${name} ${file}:${lineNumber + 1}`;
}

export function flameGraph(root: Frame, title: string): string {
  const boxes: string[] = [];
  let rows = 0;
  const draw = (frame: Frame, x: number, row: number): void => {
    const boxWidth = (frame.total / root.total) * width;
    if (boxWidth < minBoxWidth) return;
    rows = Math.max(rows, row + 1);
    const share = ((100 * frame.total) / root.total).toFixed(1);
    const label = frame.name.slice(0, Math.max(0, Math.floor((boxWidth - 4) / characterWidth)));
    const y = 24 + row * rowHeight;
    boxes.push(
      `<g><title>${escapeXml(frame.name)}: ${share} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${boxWidth.toFixed(1)}" ` +
        `height="${rowHeight - 1}" fill="${colourOf(frame.name)}"/>` +
        `${label.length > 2 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escapeXml(label)}</text>` : ''}</g>`,
    );
    let childX = x;
    for (const child of [...frame.children.values()].sort((one, other) => other.total - one.total)) {
      draw(child, childX, row + 1);
      childX += (child.total / root.total) * width;
    }
  };
  draw(root, 0, 0);
  const height = 28 + rows * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="11">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/><text x="4" y="15" font-size="13">${escapeXml(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

/** Our code, packages, and the runtime. */
function colourOf(name: string): string {
  if (/ (?:libs|services)\//.test(name)) return '#f6b26b';
  return / node:| \(|^\(/.test(name) || !name.includes(' ') ? '#cfd8dc' : '#9fc5e8';
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
