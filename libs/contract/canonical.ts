import type { Json, JsonObject } from '#libs/contract/json.ts';

/** RFC 8785: the one text of a JSON value, by which two bodies are the same whatever their order and spacing. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('JSON knows no such number');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as JsonObject;
  // The plain sort compares UTF-16 units, which is the order the RFC asks for.
  const names = Object.keys(object).sort();
  let text = '{';
  for (const name of names) {
    const member = `${JSON.stringify(name)}:${canonicalJson(object[name] as Json)}`;
    text += text.length === 1 ? member : `,${member}`;
  }
  return `${text}}`;
}
