/** Estimates of the memory that texts take, by one pass over the text. Measured on Node 24; `json-bytes.test.ts` repeats it. */

const beyondLatin1 = /[\u0100-\uffff]/;

/** A string as V8 keeps it: one byte for each character, or two for each if one of them is beyond Latin-1. */
export function textBytes(text: string): number {
  return beyondLatin1.test(text) ? 2 * text.length : text.length;
}

const openingBrace = '{'.charCodeAt(0);
const openingBracket = '['.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const comma = ','.charCodeAt(0);

const containerBytes = 72;
/** A name that no other object has takes as much; usual names take less. */
const memberBytes = 96;
const elementBytes = 16;

/** The values of a JSON text, parsed: no less than they take, and up to six times as much. */
export function parsedJsonBytes(text: string): number {
  let bytes = textBytes(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openingBrace || code === openingBracket) bytes += containerBytes;
    else if (code === colon) bytes += memberBytes;
    else if (code === comma) bytes += elementBytes;
  }
  return bytes;
}
