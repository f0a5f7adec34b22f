/** Base64url without padding, both ways by hand: Node's own decoding skips what it does not know, and browsers have none. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const values = new Int8Array(128).fill(-1);
for (let index = 0; index < alphabet.length; index += 1) values[alphabet.charCodeAt(index)] = index;

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += alphabet.charAt(three >> 18) + alphabet.charAt((three >> 12) & 63);
    if (left > 1) text += alphabet.charAt((three >> 6) & 63);
    if (left > 2) text += alphabet.charAt(three & 63);
  }
  return text;
}

/** The bytes, or nothing where the text is not exactly what `toBase64url` writes for some bytes of that length. */
export function fromBase64url(text: string, length: number): Uint8Array | undefined {
  if (text.length !== Math.ceil((length * 4) / 3)) return undefined;
  const bytes = new Uint8Array(length);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = values[text.charCodeAt(index)] ?? -1;
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (held >> bits) & 0xff;
      at += 1;
    }
  }
  // Bits left over must be zero, or two texts would mean the same bytes.
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}
