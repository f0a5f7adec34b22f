/** The record of `lending.book-events`: one fact, readable by every consumer. */
import { clientIdOf } from '#libs/ledger/book-id.ts';
import { type AvroCodec, type AvroSchemaOptions, readSchemaFile } from './avro-codec.ts';
import { topics } from './topics.ts';

/** Public: consumers of any age can read records of any age. */
export const bookEventSchema: AvroSchemaOptions = {
  subject: `${topics.bookEvents}-value`,
  schema: readSchemaFile('book-event'),
  compatibility: 'FULL_TRANSITIVE',
  exactLongs: true,
};

/** Written from numbers, which hold all our values; read as bigint, so that no value of another writer is rounded. */
export interface BookEvent<Long = bigint> {
  readonly partition: number;
  readonly sequence: Long;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly client_id: string | null;
  readonly fact: Long;
  readonly version_facts: Long;
  readonly version_at: Long | null;
  readonly counts: boolean;
  readonly kind: string;
  readonly occurred_on: number | null;
  readonly recorded_at: Long;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  readonly feed_number: Long | null;
  readonly act: EventAccount | null;
  readonly body: string;
  readonly reference: EventReference | null;
  readonly issued: EventConfiguration | null;
  readonly listed: EventListing<Long> | null;
  readonly request_id: string;
  readonly item: number;
  readonly offset: Long;
  readonly evidence: { 'lending.Evidence': EventEvidence<Long> } | { 'lending.EvidenceAt': { sequence: Long } } | null;
}

export interface EventAccount {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  /** JSON. */
  readonly context: string | null;
}

export interface EventReference {
  readonly namespace: string;
  readonly reference: string;
  readonly digest: Buffer;
  readonly subject: string;
}

/** The product configuration of an issued Loan. */
export interface EventConfiguration {
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface EventListing<Long = bigint> {
  readonly listing: string;
  readonly number: Long;
  readonly id: string;
  /** JSON. */
  readonly row: string;
}

export interface EventEvidence<Long = bigint> {
  readonly method: string;
  readonly target: string;
  readonly ts: Long | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotency_key: string | null;
  readonly body: Buffer;
  readonly body_encoding: string;
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly taken_in_at: Long;
}

export type BookEventCodec = AvroCodec<BookEvent, BookEvent<number>>;

/** A fact as the processor commits it and the database stores it. */
export interface CommittedFact {
  readonly tenantId: string;
  readonly bookId: string;
  readonly sequence: number;
  readonly fact: FactContent;
  /** The book version after this fact. */
  readonly versionCount: number;
  readonly versionAt: number | null;
  /** The reference of the submission, on the first of its facts. */
  readonly reference: EventReference | undefined;
  readonly recordedAt: number;
  readonly requestId: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
  readonly eventNumber: number;
}

interface FactContent {
  readonly kind: string;
  readonly body: string;
  readonly counts: boolean;
  readonly occurredOn?: number | null;
  readonly loanId?: string | null;
  readonly eventId?: string | null;
  readonly merchantRef?: string | null;
  readonly loan?: { readonly configurationId: string; readonly configurationVersion: number };
  readonly listed?: Omit<EventListing, 'number'>;
}

/** What an event states besides its fact. */
export interface EventDetails {
  readonly feedNumber: number | null;
  readonly listedNumber: number | null;
  /** The signed request on the first event that it caused in the partition; on the others the number of that event. */
  readonly evidence: EventEvidence<number> | number;
}

export function bookEvent(row: CommittedFact, { feedNumber, listedNumber, evidence }: EventDetails): BookEvent<number> {
  const { fact } = row;
  return {
    partition: row.partition,
    sequence: row.eventNumber,
    tenant_id: row.tenantId,
    book_id: row.bookId,
    client_id: clientIdOf(row.bookId) ?? null,
    fact: row.sequence,
    version_facts: row.versionCount,
    version_at: row.versionAt,
    counts: fact.counts,
    kind: fact.kind,
    occurred_on: fact.occurredOn ?? null,
    recorded_at: row.recordedAt,
    loan_id: fact.loanId ?? null,
    event_id: fact.eventId ?? null,
    merchant_ref: fact.merchantRef ?? null,
    feed_number: feedNumber,
    act: accountOf(fact.body),
    body: fact.body,
    reference: row.reference ?? null,
    issued: configurationOf(fact),
    listed: fact.listed === undefined || listedNumber === null ? null : { ...fact.listed, number: listedNumber },
    request_id: row.requestId,
    item: row.item,
    offset: row.offset,
    evidence:
      typeof evidence === 'number'
        ? { 'lending.EvidenceAt': { sequence: evidence } }
        : { 'lending.Evidence': evidence },
  };
}

function configurationOf({ loan }: FactContent): EventConfiguration | null {
  if (loan === undefined) return null;
  return { configuration_id: loan.configurationId, configuration_version: loan.configurationVersion };
}

/** The actor and basis of an act. Only bodies that contain the member are parsed. */
function accountOf(body: string): EventAccount | null {
  if (!body.includes('"act":{')) return null;
  const { act } = JSON.parse(body) as { act?: { reference: string; actor: string; basis: string; context?: unknown } };
  if (act === undefined) return null;
  const context = act.context === undefined ? null : JSON.stringify(act.context);
  return { reference: act.reference, actor: act.actor, basis: act.basis, context };
}
