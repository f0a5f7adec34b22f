/** The header `Retry-After` of a response: whole seconds, or an HTTP date, as a proxy may send it. */

/** Undefined where it is absent or neither of the two. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // One of the three forms of an HTTP date states no time zone, and all are in UTC.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
