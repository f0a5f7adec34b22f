/** A word of a POSIX shell that stands for exactly this text. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_/.:-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
