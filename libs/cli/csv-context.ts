/** The column `context` of a CSV: a JSON object. */

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The context is copied as text, so that its numbers stay as they were written. */
export function addContext(body: string, context: string): string {
  return `${body.slice(0, -1)},"context":${context}}`;
}
