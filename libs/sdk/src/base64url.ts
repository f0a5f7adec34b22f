/** Base64url without padding; Node and browsers share no API for it. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const remaining = bytes.length - at;
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += alphabet.charAt(three >> 18) + alphabet.charAt((three >> 12) & 63);
    if (remaining > 1) text += alphabet.charAt((three >> 6) & 63);
    if (remaining > 2) text += alphabet.charAt(three & 63);
  }
  return text;
}

/** Expects only characters of the alphabet. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let buffer = 0;
  let at = 0;
  for (const character of text) {
    buffer = ((buffer << 6) | alphabet.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (buffer >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}
