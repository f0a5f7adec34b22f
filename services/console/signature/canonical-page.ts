/** The canonical string line by line, beside the one that the caller states to have signed. */
import type { Visit } from '../console-context.ts';
import { type Content, type Html, html } from '../html.ts';
import { type Column, table } from '../table.ts';
import type { CheckedRequest } from './checked-request.ts';
import { differenceFrom, visibleParts } from './visible-text.ts';

interface Line {
  readonly number: number;
  readonly expected: string | undefined;
  readonly signed: string | undefined;
}

export function canonicalSection({ texts }: Visit, { diagnosis, request }: CheckedRequest): Content {
  const words = texts.signature;
  const { expected, signedText } = diagnosis;
  if (expected === undefined) return null;
  const expectedLines = expected.split('\n');
  const signedLines = signedText?.split('\n') ?? [];
  const count = Math.max(expectedLines.length, signedLines.length);
  const lines = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    expected: expectedLines[index],
    signed: signedLines[index],
  }));
  const signedColumn: readonly Column<Line>[] =
    signedText === undefined ? [] : [{ title: words.signed, cell: (line) => marked(line.signed, line.expected) }];
  return html`<div>
    <h2>${words.canonical}</h2>
    <p>${words.canonicalHint} ${words.bodyBytes(new Intl.NumberFormat(texts.locale).format(request.body.length))}</p>
    ${table<Line>(
      words.canonical,
      [
        { title: words.line, cell: ({ number }) => `${number}. ${words.lines[number - 1] ?? ''}` },
        {
          title: words.expected,
          cell: (line) => marked(line.expected, signedText === undefined ? line.expected : line.signed),
        },
        ...signedColumn,
      ],
      lines,
    )}
  </div>`;
}

/** A line with what differs marked. */
function marked(line: string | undefined, other: string | undefined): Content {
  if (line === undefined || line === '') return '–';
  const { before, differing, after } = differenceFrom(line, other ?? '');
  return html`<code>${visible(before)}${differing !== '' && html`<mark>${visible(differing)}</mark>`}${visible(after)}</code>`;
}

function visible(text: string): readonly Html[] {
  return visibleParts(text).map(({ text: shown, codePoint }) =>
    codePoint === undefined
      ? html`<span>${shown}</span>`
      : html`<span class="invisible" title=${codePoint}>${shown}</span>`,
  );
}
