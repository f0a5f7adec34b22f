import { type Json, type JsonObject, writtenAt } from '#libs/schema/json.ts';

/** RFC 8785: the one text of a JSON value, by which two bodies are the same whatever their order and spacing. */
export function canonicalJson(value: Json): string {
  return textOf(value);
}

/** A number that no value holds stands as it was written: its body is refused, and is told apart from others before. */
function textOf(value: Json, holder?: object, name?: string | number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const written = holder && writtenAt(holder, String(name));
    if (written === undefined) throw new RangeError('JSON knows no such number');
    return written;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((inner, at) => textOf(inner, value, at)).join(',')}]`;
  const object = value as JsonObject;
  // The plain sort compares UTF-16 units, which is the order the RFC asks for.
  const names = Object.keys(object).sort();
  let text = '{';
  for (const name of names) {
    const member = `${JSON.stringify(name)}:${textOf(object[name] as Json, object, name)}`;
    text += text.length === 1 ? member : `,${member}`;
  }
  return `${text}}`;
}
