/** Estimates of the memory that texts take, by one pass over the text. Measured on Node 24; `json-bytes.test.ts` repeats it. */

const beyondLatin1 = /[\u0100-\uffff]/;

/** A string as V8 keeps it: one byte for each character, or two for each if one of them is beyond Latin-1. */
export function textBytes(text: string): number {
  return beyondLatin1.test(text) ? 2 * text.length : text.length;
}

const containerBytes = 72;
/** A name that no other object has takes as much; usual names take less. */
const memberBytes = 96;
const elementBytes = 16;

/** What a byte of UTF-8 adds. */
const bytesOf = new Uint8Array(256);
for (const opening of ['{', '[']) bytesOf[opening.charCodeAt(0)] = containerBytes;
bytesOf[':'.charCodeAt(0)] = memberBytes;
bytesOf[','.charCodeAt(0)] = elementBytes;

/** Reading encoded text takes a sixth of the time of reading the characters of a string. */
const encoder = new TextEncoder();
const encoded = new Uint8Array(16 * 1024);

/** The values of a JSON text, parsed: no less than they take, and up to six times as much. */
export function parsedJsonBytes(text: string): number {
  let bytes = textBytes(text);
  for (let from = 0; from < text.length; ) {
    const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), encoded);
    for (let at = 0; at < written; at += 1) bytes += bytesOf[encoded[at] as number] as number;
    from += read;
  }
  return bytes;
}
