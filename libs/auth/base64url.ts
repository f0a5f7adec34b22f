/** Base64url without padding. Node's own decoder ignores invalid characters, so the text is compared with its encoding. */

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/** The bytes, or undefined where the text is not exactly what `toBase64url` writes for some bytes of that length. */
export function fromBase64url(text: string, length: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined;
}
