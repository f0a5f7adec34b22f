/** JSON as people write it: a list or an object that fits on the rest of its line stays on it. */
import type { Json } from '#libs/schema/json.ts';

export interface JsonNotation {
  readonly indent: string;
  readonly scalar: (value: string | number | boolean | null) => string;
  readonly name: (name: string) => string;
  /** Between the braces and the members of an object on one line. */
  readonly padding: string;
  readonly trailingComma: boolean;
}

export const jsonNotation: JsonNotation = {
  indent: '  ',
  scalar: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  padding: '',
  trailingComma: false,
};

const maxColumns = 76;

export function formatJson(value: Json, notation: JsonNotation = jsonNotation, depth = 0, before = 0): string {
  const line = onOneLine(value, notation);
  const used = depth * notation.indent.length + before;
  if (typeof value !== 'object' || value === null || used + line.length <= maxColumns) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const names = Array.isArray(value)
    ? value.map(() => '')
    : Object.keys(value).map((name) => `${notation.name(name)}: `);
  const lines = Object.values(value).map((member, index) => {
    const name = names[index] ?? '';
    return `${notation.indent.repeat(depth + 1)}${name}${formatJson(member as Json, notation, depth + 1, name.length + 1)}`;
  });
  const last = notation.trailingComma ? ',' : '';
  return `${open}\n${lines.join(',\n')}${last}\n${notation.indent.repeat(depth)}${close}`;
}

function onOneLine(value: Json, notation: JsonNotation): string {
  if (typeof value !== 'object' || value === null) return notation.scalar(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item as Json, notation)).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => {
    return `${notation.name(name)}: ${onOneLine(member as Json, notation)}`;
  });
  return members.length === 0 ? '{}' : `{${notation.padding}${members.join(', ')}${notation.padding}}`;
}
