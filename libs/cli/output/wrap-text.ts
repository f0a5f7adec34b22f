/** Lines of at most the width, broken at spaces; those after the first begin with the indent. */
export function wrapText(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= indent.length) break;
    lines.push(rest.slice(0, at));
    rest = `${indent}${rest.slice(at + 1)}`;
  }
  return [...lines, rest];
}
