/** Decodes records of the topic into the schema of this package, whichever schema they were written with. */
import avsc, { type Schema, type Type } from 'avsc';
import { bookEventSchema } from '../contract/book-event-schema.ts';
import type { BookEvent, Evidence } from './book-event.ts';

/** Returns the schema with this id from the registry. */
export type SchemaOf = (id: number) => Promise<object>;

interface WriterSchema {
  readonly type: Type;
  readonly resolver: ReturnType<Type['createResolver']>;
}

/** By default avsc rounds some longs beyond 2^52 silently. */
const exactLong = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

export class EventDecoder {
  readonly #schemaOf: SchemaOf;
  readonly #reader: Type;
  readonly #writers = new Map<number, WriterSchema>();

  constructor(schemaOf: SchemaOf, readerSchema: object = bookEventSchema) {
    this.#schemaOf = schemaOf;
    this.#reader = avroType(readerSchema);
  }

  /** Expects a zero byte and four bytes of schema id before the record. Throws for other bytes. */
  async decode(framed: Buffer): Promise<BookEvent> {
    if (framed.length < 5 || framed[0] !== 0)
      throw new TypeError('not a record with a schema id; expected a zero byte and four bytes of id');
    const id = framed.readUInt32BE(1);
    const writer = this.#writers.get(id) ?? (await this.#loadWriter(id));
    return toBookEvent(this.#reader.fromBuffer(framed.subarray(5), writer.resolver) as AvroBookEvent);
  }

  async #loadWriter(id: number): Promise<WriterSchema> {
    const type = avroType(await this.#schemaOf(id));
    const writer = { type, resolver: this.#reader.createResolver(type) };
    this.#writers.set(id, writer);
    return writer;
  }
}

/** The hook also replaces longs with a logical type, which a registry of named types does not. */
function avroType(schema: object): Type {
  const isLong = (each: unknown) => each === 'long' || (each as { type?: unknown }).type === 'long';
  return avsc.Type.forSchema(schema as Schema, { typeHook: (each) => (isLong(each) ? exactLong : undefined) });
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

function formatDay(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

function formatMoment(micros: bigint): string {
  const seconds = new Date(Number(micros / 1_000_000n) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}
