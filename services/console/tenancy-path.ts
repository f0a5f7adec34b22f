/** Addresses of pages in a Tenancy. Identifiers and references may hold any character. */

export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** `['clients', id]` and its query; parameters without a value are left out. */
export function tenancyPath(tenantId: string, segments: readonly string[], query: QueryValues = {}): string {
  const path = ['', 'tenancies', tenantId, ...segments].map(encodeURIComponent).join('/');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
