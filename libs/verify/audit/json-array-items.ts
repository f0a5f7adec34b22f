/**
 * Finds the items of an array in a JSON text without parsing them: parsed, a batch of 2 MB may take 100 MB, and an audit
 * needs one item of it at a time.
 */

/** Offsets of the first byte, and of the one after the last. */
export type ByteRange = readonly [start: number, end: number];

const quote = 0x22;
const backslash = 0x5c;

/** The items of this member of the outermost object. The text must be valid JSON. */
export function arrayItems(json: Buffer, member: string): readonly ByteRange[] {
  let items: ByteRange[] = [];
  let depth = 0;
  let key = '';
  let text: ByteRange = [0, 0];
  let isInArray = false;
  let start: number | undefined;
  const endItem = (end: number): void => {
    if (start !== undefined) items.push([start, end]);
    start = undefined;
  };
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (isInArray && depth === 2 && !isSeparator(byte)) start ??= at;
    switch (byte) {
      case quote:
        text = [at, endOfString(json, at)];
        at = text[1] - 1;
        break;
      case 0x3a: // :
        if (depth === 1) key = JSON.parse(json.toString('utf8', ...text)) as string;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (depth === 1 && key === member) {
          isInArray = byte === 0x5b;
          items = [];
        }
        depth += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        if (isInArray && depth === 1) {
          endItem(at);
          isInArray = false;
        }
        break;
      case 0x2c: // ,
        if (isInArray && depth === 2) endItem(at);
        break;
    }
  }
  return items;
}

/** White space, a comma and the end of the array begin no item. */
function isSeparator(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x5d;
}

/** The offset after the closing quote. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(quote, start + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}
