/** Divides the lines of a long statement into parts, each a page of its own. */
import type { StatementLine } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { type Content, html } from '../html.ts';

/** A row of the statement takes a page some hundredth of a millisecond; a part stays readable and is printed whole. */
const linesPerPart = 500;

interface WithLines {
  readonly lines: readonly StatementLine[];
}

export interface StatementPart<Loan extends WithLines> {
  /** With those of their lines that are in this part. */
  readonly loans: readonly Loan[];
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

/** The Loans of the part, in order. A Loan without lines takes the place of one. */
export function statementPart<Loan extends WithLines>(loans: readonly Loan[], requested: string): StatementPart<Loan> {
  const total = loans.reduce((sum, loan) => sum + placesOf(loan), 0);
  const parts = Math.max(1, Math.ceil(total / linesPerPart));
  const part = /^\d{1,9}$/.test(requested) ? Math.min(Math.max(Number(requested), 1), parts) : 1;
  const start = (part - 1) * linesPerPart;
  const end = start + linesPerPart;
  const shown: Loan[] = [];
  let place = 0;
  for (const loan of loans) {
    const first = place;
    place += placesOf(loan);
    if (place <= start || first >= end) continue;
    shown.push({ ...loan, lines: loan.lines.slice(Math.max(0, start - first), end - first) });
  }
  return { loans: shown, part, parts };
}

function placesOf({ lines }: WithLines): number {
  return Math.max(1, lines.length);
}

/** States on the screen and on paper which part it is, and leads to the others. */
export function partLinks(
  { texts, path }: Visit,
  { part, parts }: Omit<StatementPart<never>, 'loans'>,
  query: Readonly<Record<string, string | undefined>>,
): Content {
  const { statement: words } = texts.explorer;
  if (parts === 1) return null;
  const href = (to: number): string => {
    const stated = Object.entries({ ...query, part: String(to) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    return `${path}?${new URLSearchParams(stated)}`;
  };
  return html`<p class="pages">
    <span>${words.part(part, parts)}</span>
    ${part > 1 && html`<a class="screen-only" rel="prev" href=${href(part - 1)}>${words.previousPart}</a>`}
    ${part < parts && html`<a class="screen-only" rel="next" href=${href(part + 1)}>${words.nextPart}</a>`}
  </p>`;
}
