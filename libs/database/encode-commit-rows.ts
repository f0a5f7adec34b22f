/** Encodes the rows of a batch as one value of the SQL type commit_rows: an array per column. */
import type {
  BookRow,
  CommitRows,
  EvidenceRow,
  FactRow,
  FenceRow,
  ReferenceRow,
  SnapshotRow,
} from './commit-row-types.ts';
import {
  arrayField,
  bytea,
  type CompositeField,
  type ElementType,
  encodeComposite,
  int2,
  int4,
  int8,
  jsonField,
  text,
  uuid,
} from './pg-binary.ts';

/** Numbers are assigned by the database at the end of the commit; here they are counted back from the end. */
export interface FactNumbers {
  readonly counters: { readonly tenant_id: string; readonly name: string; count: number }[];
  readonly feed: ReadonlyMap<FactRow, number>;
  readonly listed: ReadonlyMap<FactRow, number>;
}

export function numberFacts(facts: readonly FactRow[]): FactNumbers {
  const counters = new Map<string, FactNumbers['counters'][number]>();
  const feed = new Map<FactRow, number>();
  const listed = new Map<FactRow, number>();
  const count = (tenantId: string, name: string): number => {
    const key = `${tenantId}/${name}`;
    const counter = counters.get(key) ?? { tenant_id: tenantId, name, count: 0 };
    counter.count += 1;
    counters.set(key, counter);
    return counter.count;
  };
  for (const row of facts.toReversed()) {
    const { fact, tenantId } = row;
    if (fact.loanId !== undefined && fact.eventId !== undefined) feed.set(row, count(tenantId, 'feed'));
    if (fact.listed !== undefined) listed.set(row, count(tenantId, fact.listed.listing));
  }
  return { counters: [...counters.values()], feed, listed };
}

export function encodeRows(rows: CommitRows, numbers: FactNumbers): Buffer {
  return encodeComposite([
    ...arrayFields(fenceColumns, rows.fences),
    ...arrayFields(referenceColumns, rows.references),
    ...arrayFields(
      factColumns,
      rows.facts.map((row) => ({ ...row, feedOrdinal: numbers.feed.get(row) })),
    ),
    ...arrayFields(evidenceColumns, withBodiesOnce(rows.evidence)),
    ...arrayFields(bookColumns, rows.books),
    ...arrayFields(snapshotColumns, rows.snapshots),
    jsonField(encodeRareRows(rows, numbers)),
  ]);
}

interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly encode: (rows: readonly Row[]) => CompositeField;
}

function columnsOf<Row>() {
  return <Value>(
    name: string,
    type: ElementType<Value>,
    value: (row: Row) => Value | null | undefined,
  ): Column<Row> => ({ name, type: type.name, encode: (rows) => arrayField(type, rows.map(value)) });
}

function arrayFields<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): CompositeField[] {
  return columns.map(({ encode }) => encode(rows));
}

const fence = columnsOf<FenceRow>();
const fenceColumns = [
  fence('partition', int2, (row) => row.partition),
  fence('epoch', int8, (row) => row.epoch),
  fence('from_offset', int8, (row) => row.fromOffset),
  fence('next_offset', int8, (row) => row.nextOffset),
  fence('next_event', int8, (row) => row.nextEvent),
];

const reference = columnsOf<ReferenceRow>();
const referenceColumns = [
  reference('tenant_id', text, (row) => row.tenantId),
  reference('namespace', text, (row) => row.namespace),
  reference('reference', text, (row) => row.reference),
  reference('digest', bytea, (row) => row.digest),
  reference('book_id', text, (row) => row.bookId),
  reference('kind', text, (row) => row.kind),
  reference('subject', text, (row) => row.subject),
  reference('sequence', int8, (row) => row.sequence),
];

const fact = columnsOf<FactRow & { readonly feedOrdinal: number | undefined }>();
const factColumns = [
  fact('tenant_id', text, (row) => row.tenantId),
  fact('book_id', text, (row) => row.bookId),
  fact('sequence', int8, (row) => row.sequence),
  fact('kind', text, (row) => row.fact.kind),
  fact('body', text, (row) => row.fact.body),
  fact('counts', int2, (row) => (row.fact.counts ? 1 : 0)),
  fact('version_count', int8, (row) => row.versionCount),
  fact('version_at', int8, (row) => row.versionAt),
  fact('namespace', text, (row) => row.reference?.namespace),
  fact('reference', text, (row) => row.reference?.reference),
  fact('occurred_on', int4, (row) => row.fact.occurredOn),
  fact('loan_id', uuid, (row) => row.fact.loanId),
  fact('event_id', uuid, (row) => row.fact.eventId),
  fact('merchant_ref', text, (row) => row.fact.merchantRef),
  fact('recorded_at', int8, (row) => row.recordedAt),
  fact('request_id', uuid, (row) => row.requestId),
  fact('item', int4, (row) => row.item),
  fact('partition', int2, (row) => row.partition),
  fact('log_offset', int8, (row) => row.offset),
  fact('event_number', int8, (row) => row.eventNumber),
  fact('feed_ordinal', int4, (row) => row.feedOrdinal),
];

/** As in the function commit_batch: longer bodies are stored once for each request. */
const maxInlineBodyBytes = 2_000;

/** Leaves out a long body that an earlier row of the batch has: the request went to several of its partitions. */
function withBodiesOnce(rows: readonly EvidenceRow[]): EncodedEvidenceRow[] {
  const stored = new Set<string>();
  return rows.map((row) => {
    if (row.body.length <= maxInlineBodyBytes) return row;
    if (stored.has(row.requestId)) return { ...row, body: null };
    stored.add(row.requestId);
    return row;
  });
}

type EncodedEvidenceRow = Omit<EvidenceRow, 'body'> & { readonly body: Buffer | null };

const evidence = columnsOf<EncodedEvidenceRow>();
const evidenceColumns = [
  evidence('request_id', uuid, (row) => row.requestId),
  evidence('partition', int2, (row) => row.partition),
  evidence('tenant_id', text, (row) => row.tenantId),
  evidence('method', text, (row) => row.method),
  evidence('target', text, (row) => row.target),
  evidence('ts', int8, (row) => row.ts),
  evidence('fp', text, (row) => row.fp),
  evidence('signature', bytea, (row) => row.signature),
  evidence('idempotency_key', text, (row) => row.idempotencyKey),
  evidence('body', bytea, (row) => row.body),
  evidence('body_encoding', text, (row) => row.bodyEncoding),
  evidence('actor', text, (row) => row.actor),
  evidence('caller_request_id', text, (row) => row.callerRequestId),
  evidence('received_at', int8, (row) => row.receivedAt),
];

const book = columnsOf<BookRow>();
const bookColumns = [
  book('tenant_id', text, (row) => row.tenantId),
  book('book_id', text, (row) => row.bookId),
  book('partition', int2, (row) => row.partition),
  book('sequence', int8, (row) => row.sequence),
  book('version_count', int8, (row) => row.versionCount),
  book('version_at', int8, (row) => row.versionAt),
  book('recorded_at', int8, (row) => row.recordedAt),
  book('due_from', int4, (row) => row.dueFrom),
  book('parked', int2, (row) => (row.parked ? 1 : 0)),
];

const snapshot = columnsOf<SnapshotRow>();
const snapshotColumns = [
  snapshot('tenant_id', text, (row) => row.tenantId),
  snapshot('book_id', text, (row) => row.bookId),
  snapshot('sequence', int8, (row) => row.sequence),
  snapshot('data', text, (row) => row.data),
];

const columnsByPrefix: readonly (readonly [string, readonly Pick<Column<never>, 'name' | 'type'>[]])[] = [
  ['fence', fenceColumns],
  ['reference', referenceColumns],
  ['fact', factColumns],
  ['evidence', evidenceColumns],
  ['book', bookColumns],
  ['snapshot', snapshotColumns],
];

/** The attributes of the SQL type commit_rows as they are encoded here: a test compares them with the database. */
export const commitRowsAttributes: readonly { readonly name: string; readonly type: string }[] = [
  ...columnsByPrefix.flatMap(([prefix, columns]) =>
    columns.map(({ name, type }) => ({ name: `${prefix}_${name}`, type: `_${type}` })),
  ),
  { name: 'rare', type: 'json' },
];

/** The rows that a batch of receipts does not have. Null then: the database skips them all. */
function encodeRareRows(rows: CommitRows, { counters, feed, listed }: FactNumbers): string | null {
  const { dueSpans, loanStates, tenancies, keys, configurations, verdicts } = rows;
  const isEmpty = [counters, dueSpans, loanStates, tenancies, keys, configurations, verdicts].every(
    (rare) => rare.length === 0,
  );
  if (isEmpty) return null;
  return JSON.stringify({
    counters,
    states: loanStates.map(({ tenantId, loanId, state }) => ({ tenant_id: tenantId, loan_id: loanId, state })),
    due_spans: dueSpans.map(({ tenantId, bookId, spans }) => ({ tenant_id: tenantId, book_id: bookId, spans })),
    loans: rows.facts.flatMap((row) => issuedLoan(row, feed.get(row))),
    listed: rows.facts.flatMap((row) => listedRecord(row, listed.get(row))),
    tenancies: tenancies.map(({ tenantId, timeZone, createdAt, ...row }) => ({
      tenant_id: tenantId,
      time_zone: timeZone,
      created_at: createdAt,
      ...row,
    })),
    keys: keys.map(({ tenantId, publicKey, createdAt, revokedAt, ...row }) => ({
      tenant_id: tenantId,
      public_key: publicKey,
      created_at: createdAt,
      revoked_at: revokedAt,
      ...row,
    })),
    configurations: configurations.map(({ tenantId, configurationId, createdAt, ...row }) => ({
      tenant_id: tenantId,
      configuration_id: configurationId,
      created_at: createdAt,
      ...row,
    })),
    verdicts: verdicts.map(({ requestId, ...row }) => ({ request_id: requestId, ...row })),
  });
}

function issuedLoan({ fact, tenantId }: FactRow, ordinal: number | undefined): object[] {
  const { loan } = fact;
  if (loan === undefined) return [];
  return [
    {
      tenant_id: tenantId,
      loan_id: loan.loanId,
      ordinal,
      client_id: loan.clientId,
      reference: loan.reference,
      configuration_id: loan.configurationId,
      configuration_version: loan.configurationVersion,
      merchant_ref: loan.merchantRef,
      state: loan.state,
    },
  ];
}

function listedRecord({ fact, tenantId, bookId, sequence }: FactRow, ordinal: number | undefined): object[] {
  const { listed } = fact;
  if (listed === undefined) return [];
  return [{ tenant_id: tenantId, book_id: bookId, sequence, ordinal, ...listed }];
}
