/** JSON a person can read. Nothing in it is read as a value: each name and figure stays as it was written. */

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** What is no JSON is given back as it is. */
export function indented(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let before = '';
  let written = '';
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const begins = before === '{' || before === '[';
    if (token === '}' || token === ']') {
      depth -= 1;
      written += begins ? token : line() + token;
    } else {
      written += (begins || before === ',' ? line() : '') + (token === ':' ? ': ' : token);
      if (token === '{' || token === '[') depth += 1;
    }
    before = token;
  }
  return written;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
