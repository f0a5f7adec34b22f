/** Finds what a name can mean in a Tenancy: a Client, a Loan, a Receipt, an act or a lookup key. */
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { referenceKey } from '#libs/database/references.ts';
import { findReferencesInCell } from '#libs/database/reserved-references.ts';
import { clientIdOf } from '#libs/ledger/book-id.ts';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { isLookupKey, isReference } from '#libs/schema/scalars.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { orUndefined } from '../../optional-read.ts';
import type { PartialReads } from '../../read-parts.ts';
import { tenancyPath } from '../../tenancy-path.ts';

export type FoundRecord =
  | { readonly kind: 'client' | 'receipt' | 'lookup_key'; readonly id: string }
  /** By its id, or by its reference. */
  | { readonly kind: 'loan'; readonly id: string; readonly name: string }
  | { readonly kind: 'act'; readonly id: string; readonly clientId: string };

interface SearchedTenancy {
  readonly api: Lending;
  readonly parts: Pick<PartialReads, 'hasClient' | 'hasLoan' | 'hasReceipt'>;
  readonly databases: PartitionDatabases;
  readonly tenantId: string;
}

/** From indexes: the book of what is found is loaded by its page, which says so where that takes long. */
export async function findByName(tenancy: SearchedTenancy, name: string): Promise<readonly FoundRecord[]> {
  const { api, parts, tenantId } = tenancy;
  const [isClient, isLoan, isReceipt, lookupKey, byReference] = await Promise.all([
    isIdentifier(name) && parts.hasClient(tenantId, name),
    isUuid(name) && parts.hasLoan(tenantId, name),
    isReference(name) && parts.hasReceipt(tenantId, name),
    isLookupKey(name) ? orUndefined(api.readLookupKey({ lookup_key: name })) : undefined,
    isReference(name) ? findRecordedReference(tenancy, name) : [],
  ]);
  return [
    ...(isClient ? [{ kind: 'client' as const, id: name }] : []),
    ...(isLoan ? [{ kind: 'loan' as const, id: name.toLowerCase(), name }] : []),
    ...(isReceipt ? [{ kind: 'receipt' as const, id: name }] : []),
    ...byReference,
    ...(lookupKey === undefined ? [] : [{ kind: 'lookup_key' as const, id: lookupKey.configuration_id }]),
  ];
}

async function findRecordedReference(
  { databases, tenantId }: SearchedTenancy,
  reference: string,
): Promise<readonly FoundRecord[]> {
  const names = (['loans', 'acts', 'credit'] as const).map((namespace) => ({ tenantId, namespace, reference }));
  const found = await findReferencesInCell(databases, names);
  return [...found].flatMap(([key, { bookId, subject }]): readonly FoundRecord[] => {
    if (key === referenceKey({ tenantId, namespace: 'loans', reference })) {
      return [{ kind: 'loan', id: subject, name: reference }];
    }
    const clientId = clientIdOf(bookId);
    return clientId === undefined ? [] : [{ kind: 'act', id: reference, clientId }];
  });
}

/** The page of a found record. */
export function pathOfRecord(tenantId: string, record: FoundRecord): string {
  switch (record.kind) {
    case 'client':
      return tenancyPath(tenantId, ['clients', record.id]);
    case 'loan':
      return tenancyPath(tenantId, ['loans', record.id]);
    case 'receipt':
      return tenancyPath(tenantId, ['receipts', record.id]);
    case 'act':
      return tenancyPath(tenantId, ['clients', record.clientId]);
    case 'lookup_key':
      return tenancyPath(tenantId, ['products', record.id]);
  }
}
