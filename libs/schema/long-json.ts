/**
 * Long bodies are parsed element by element: `JSON.parse` cannot be interrupted, and a batch of 8 MiB would hold the
 * thread for a hundred milliseconds. A long body has one array of objects, such as the Receipts of a batch.
 */

/** The start and the end of each object in an array that is a member of the body. */
export type ElementRanges = readonly (readonly [start: number, end: number])[];

/** Parses one text of the body: the whole, or an element with its path. */
export type ParseText = (text: string, path: readonly string[]) => unknown;

/** The value of the text. It is invalid where `parse` throws. */
export function* parseElements(text: string, ranges: ElementRanges, parse: ParseText): Generator<void, unknown> {
  if (ranges.length === 0) return parse(text, []);
  const body = parse(withEmptyElements(text, ranges), []);
  const holder = onlyArray(body);
  // Elements of another form, or of several arrays.
  if (holder?.elements.length !== ranges.length) return parse(text, []);
  for (const [index, [start, end]] of ranges.entries()) {
    holder.elements[index] = parse(text.slice(start, end), [holder.name, String(index)]);
    yield;
  }
  return body;
}

/** Each element becomes an empty object, so that the rest of the text is valid exactly where the whole is. */
function withEmptyElements(text: string, ranges: ElementRanges): string {
  let outer = '';
  let copiedTo = 0;
  for (const [start, end] of ranges) {
    outer += `${text.slice(copiedTo, start)}{}`;
    copiedTo = end;
  }
  return outer + text.slice(copiedTo);
}

function onlyArray(body: unknown): { readonly name: string; readonly elements: unknown[] } | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const arrays = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [first, ...others] = arrays;
  return first === undefined || others.length > 0 ? undefined : { name: first[0], elements: first[1] };
}
