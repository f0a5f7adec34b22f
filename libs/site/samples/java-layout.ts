/** Java expressions laid out as people write them: what does not fit on a line has its parts on lines of their own. */

/** Text, `name(args)`, `head.a().b()`, or `"name", value`. */
export type JavaExpression =
  | string
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly JavaExpression[] }
  | { readonly kind: 'chain'; readonly head: string; readonly links: readonly JavaExpression[] }
  | { readonly kind: 'pair'; readonly name: string; readonly value: JavaExpression };

export function call(name: string, args: readonly JavaExpression[]): JavaExpression {
  return { kind: 'call', name, args };
}

export function chain(head: string, links: readonly JavaExpression[]): JavaExpression {
  return { kind: 'chain', head, links };
}

export function pair(name: string, value: JavaExpression): JavaExpression {
  return { kind: 'pair', name, value };
}

const maxColumns = 84;
const indentColumns = 4;

/** `before` is the number of columns that are taken on the first line. */
export function layOut(expression: JavaExpression, before: number, depth = 0): string {
  const line = onOneLine(expression);
  if (typeof expression === 'string' || before + line.length <= maxColumns) return line;
  const below = (part: JavaExpression) => {
    const columns = (depth + 1) * indentColumns;
    return `\n${' '.repeat(columns)}${layOut(part, columns, depth + 1)}`;
  };
  switch (expression.kind) {
    case 'chain':
      return expression.head + expression.links.map(below).join('');
    case 'pair':
      return `${expression.name}, ${layOut(expression.value, before + expression.name.length + 2, depth)}`;
    case 'call': {
      const { name, args } = expression;
      const [first = '', ...others] = args;
      const columns = before + name.length + 1;
      return others.length === 0
        ? `${name}(${layOut(first, columns, depth)})`
        : `${name}(${args.map(below).join(',')})`;
    }
  }
}

function onOneLine(expression: JavaExpression): string {
  if (typeof expression === 'string') return expression;
  switch (expression.kind) {
    case 'chain':
      return expression.head + expression.links.map(onOneLine).join('');
    case 'pair':
      return `${expression.name}, ${onOneLine(expression.value)}`;
    case 'call':
      return `${expression.name}(${expression.args.map(onOneLine).join(', ')})`;
  }
}
