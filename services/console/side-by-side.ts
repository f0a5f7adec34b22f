/** Two versions of something side by side, with what differs marked. */
import type { Visit } from './console-context.ts';
import { type Content, type Html, html } from './html.ts';
import { type Column, table } from './table.ts';

/** One thing that a version says, with a label where there are several. */
export interface Part {
  readonly label?: string;
  readonly text: string;
  /** Shown after the text. */
  readonly note?: string;
}

export interface ComparedRow {
  readonly title: string;
  /** Absent where the version does not have it. */
  readonly left?: readonly Part[] | undefined;
  readonly right?: readonly Part[] | undefined;
}

export interface Comparison {
  readonly caption: string;
  readonly rowTitle: string;
  readonly leftTitle: string;
  /** Absent where one version is shown alone. */
  readonly rightTitle?: string | undefined;
  readonly rows: readonly ComparedRow[];
}

export function sideBySide({ texts }: Visit, { caption, rowTitle, leftTitle, rightTitle, rows }: Comparison): Html {
  const isAlone = rightTitle === undefined;
  const title = (row: ComparedRow): Content =>
    isAlone || !differs(row) ? row.title : html`${row.title} <small class="differs">${texts.differs}</small>`;
  const right: readonly Column<ComparedRow>[] = isAlone
    ? []
    : [{ title: rightTitle, cell: (row) => partList(row.right, row.left) }];
  return table<ComparedRow>(
    caption,
    [
      { title: rowTitle, cell: title },
      { title: leftTitle, cell: (row) => partList(row.left, isAlone ? row.left : row.right) },
      ...right,
    ],
    rows,
  );
}

export function differs({ left, right }: ComparedRow): boolean {
  return textOf(left) !== textOf(right);
}

function textOf(parts: readonly Part[] | undefined): string {
  return JSON.stringify(parts?.map(({ label, text, note }) => [label, text, note]));
}

/** Rows of two lists, matched by a name: in the order of the first list, then what only the second one has. */
export function matchedRows<Item>(
  left: readonly Item[],
  right: readonly Item[] | undefined,
  { nameOf, partsOf }: { readonly nameOf: (item: Item) => string; readonly partsOf: (item: Item) => readonly Part[] },
): readonly ComparedRow[] {
  const names = new Set([...left, ...(right ?? [])].map(nameOf));
  const partsIn = (items: readonly Item[] | undefined, name: string): readonly Part[] | undefined => {
    const item = items?.find((each) => nameOf(each) === name);
    return item && partsOf(item);
  };
  return [...names].map((name) => ({ title: name, left: partsIn(left, name), right: partsIn(right, name) }));
}

function partList(parts: readonly Part[] | undefined, others: readonly Part[] | undefined): Content {
  if (parts === undefined) return html`<span aria-hidden="true">–</span>`;
  const isEqual = ({ label, text, note }: Part): boolean =>
    others?.some((other) => other.label === label && other.text === text && other.note === note) === true;
  return parts.map((part) => {
    const text = isEqual(part) ? part.text : html`<mark>${part.text}</mark>`;
    return html`<div>${part.label && html`<small>${part.label}: </small>`}${text}${part.note && html` <small>${part.note}</small>`}</div>`;
  });
}
