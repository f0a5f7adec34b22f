/** What a logged request was about: the records that its path or its query names, and where the console shows them. */

export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly href: string;
}

/** The collections of the API whose members have pages, with the area of the console. */
const areas = {
  clients: 'clients',
  loans: 'loans',
  receipts: 'receipts',
  'product-configurations': 'products',
  'credit-policies': 'policies',
} as const;

export type SubjectKind = keyof typeof areas;

/** Names after a collection that are routes of it, not members. */
const routeWords = new Set(['preview', 'batch']);

const parameters: Readonly<Record<string, SubjectKind>> = {
  client: 'clients',
  client_id: 'clients',
  configuration_id: 'product-configurations',
};

/** None where the path names another Tenancy. */
export function subjectsOf(tenantId: string, target: string): readonly Subject[] {
  const [path = '', query = ''] = target.split('?', 2);
  const [, version, tenants, tenancy, collection, member] = path.split('/');
  if (version !== 'v1' || tenants !== 'tenants' || tenancy !== tenantId) return [];
  const subjectOf = (kind: SubjectKind, id: string): Subject => ({
    kind,
    id,
    href: `/tenancies/${tenantId}/${areas[kind]}/${encodeURIComponent(id)}`,
  });
  const id = member === undefined || routeWords.has(member) ? undefined : decoded(member);
  const ofPath = id === undefined || !isSubjectKind(collection) ? [] : [subjectOf(collection, id)];
  const ofQuery = [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const kind = parameters[name];
    return kind === undefined || value === '' ? [] : [subjectOf(kind, value)];
  });
  return [...ofPath, ...ofQuery];
}

function isSubjectKind(collection: string | undefined): collection is SubjectKind {
  return collection !== undefined && Object.hasOwn(areas, collection);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return undefined;
  }
}
