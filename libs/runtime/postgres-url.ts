/** Addresses of Postgres: one URL, which may name several hosts as libpq allows. */

export interface PostgresAddress {
  /** One URL for each host, in the order of the address. */
  readonly urls: readonly string[];
  /** `target_session_attrs=read-write` or `primary`: a standby must not be used. */
  readonly requiresPrimary: boolean;
}

const attributesParameter = 'target_session_attrs';
const primaryAttributes = ['read-write', 'primary'];

/** Undefined for an invalid address. */
export function parsePostgresUrl(text: string): PostgresAddress | undefined {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/s.exec(text);
  if (parts === null) return undefined;
  const [, start = '', hosts = '', end = ''] = parts;
  const urls: string[] = [];
  let attributes = 'any';
  for (const host of hosts.split(',')) {
    const single = `${start}${host}${end}`;
    if ((host === '' && hosts !== '') || !URL.canParse(single)) return undefined;
    const url = new URL(single);
    attributes = url.searchParams.get(attributesParameter) ?? attributes;
    // Also where it is absent, a deletion would encode the other parameters differently.
    if (url.searchParams.has(attributesParameter)) url.searchParams.delete(attributesParameter);
    urls.push(url.href);
  }
  const requiresPrimary = primaryAttributes.includes(attributes);
  return requiresPrimary || attributes === 'any' ? { urls, requiresPrimary } : undefined;
}
