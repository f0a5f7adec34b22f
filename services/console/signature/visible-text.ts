/** Makes characters visible that look like nothing or like others, and finds where two texts differ. */

export interface TextPart {
  readonly text: string;
  /** The code point, `U+200B`, of a character that stands for an invisible one. */
  readonly codePoint?: string;
}

const symbols: Readonly<Record<string, string>> = { ' ': '␠', '\t': '␉', '\r': '␍', '\n': '␊' };
const invisible = /([\s\p{C}\p{Z}])/u;

export function visibleParts(text: string): readonly TextPart[] {
  return text
    .split(new RegExp(invisible, 'gu'))
    .filter((part) => part !== '')
    .map((part) => {
      if (!invisible.test(part)) return { text: part };
      const codePoint = `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      return { text: symbols[part] ?? codePoint, codePoint };
    });
}

/** The numbers of the lines in which two texts differ, from 1. */
export function differingLines(text: string, other: string): readonly number[] {
  const [lines, otherLines] = [text.split('\n'), other.split('\n')];
  const count = Math.max(lines.length, otherLines.length);
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => lines[index] !== otherLines[index])
    .map((index) => index + 1);
}

export interface Difference {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/** The part of a text in which it differs from another one. */
export function differenceFrom(text: string, other: string): Difference {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return {
    before: text.slice(0, start),
    differing: text.slice(start, text.length - end),
    after: text.slice(text.length - end),
  };
}
