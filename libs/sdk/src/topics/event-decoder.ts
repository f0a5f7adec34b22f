/** Decodes records of `lending.book-events`. */
import { bookEventSchema } from '../contract/book-event-schema.ts';
import { AvroDecoder, formatDay, formatMoment, type SchemaOf } from './avro-decoder.ts';
import type { BookEvent, Evidence } from './book-event.ts';

export class EventDecoder extends AvroDecoder<BookEvent> {
  constructor(schemaOf: SchemaOf, readerSchema: object = bookEventSchema) {
    super(schemaOf, readerSchema, (record) => toBookEvent(record as AvroBookEvent));
  }
}

/** The record as Avro decodes it, where that differs from BookEvent. */
type AvroBookEvent = Omit<BookEvent, 'occurred_on' | 'recorded_at' | 'book_version' | 'evidence' | 'evidence_at'> & {
  readonly occurred_on: number | null;
  readonly recorded_at: bigint;
  readonly version_facts: bigint;
  readonly version_at: bigint | null;
  readonly evidence: { 'lending.Evidence'?: AvroEvidence; 'lending.EvidenceAt'?: { sequence: bigint } } | null;
};

type AvroEvidence = Omit<Evidence, 'taken_in_at'> & { readonly taken_in_at: bigint };

/** Copies the nested records into plain objects: those of avsc have methods. */
function toBookEvent({ version_facts, version_at, evidence, ...record }: AvroBookEvent): BookEvent {
  const ownEvidence = evidence?.['lending.Evidence'];
  return {
    ...record,
    occurred_on: record.occurred_on === null ? null : formatDay(record.occurred_on),
    recorded_at: formatMoment(record.recorded_at),
    book_version: { facts: version_facts, version: version_at === null ? null : formatMoment(version_at) },
    act: record.act && { ...record.act },
    reference: record.reference && { ...record.reference },
    issued: record.issued && { ...record.issued },
    listed: record.listed && { ...record.listed },
    evidence: ownEvidence === undefined ? null : { ...ownEvidence, taken_in_at: formatMoment(ownEvidence.taken_in_at) },
    evidence_at: evidence?.['lending.EvidenceAt']?.sequence ?? null,
  };
}
