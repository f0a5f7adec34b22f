/** Indents JSON without parsing its values: names and figures stay as they were written. */

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** Text that is not JSON is returned unchanged. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let previous = '';
  let indented = '';
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const isFirst = previous === '{' || previous === '[';
    if (token === '}' || token === ']') {
      depth -= 1;
      indented += isFirst ? token : newLine() + token;
    } else {
      indented += (isFirst || previous === ',' ? newLine() : '') + (token === ':' ? ': ' : token);
      if (token === '{' || token === '[') depth += 1;
    }
    previous = token;
  }
  return indented;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
