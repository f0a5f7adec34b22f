/** Records of the topic read as the schema this package knows, whichever schema they were written by. */
import avsc, { type Schema, type Type } from 'avsc';
import { bookEventSchema } from '../contract/book-event-schema.ts';
import type { BookEvent, Evidence } from './book-event.ts';

/** Gives the schema that stands in the registry under an id. */
export type SchemaOf = (id: number) => Promise<object>;

interface Writer {
  readonly type: Type;
  readonly resolver: unknown;
}

/** avsc rounds some longs beyond 2^52 without saying so. */
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
} as never);

export class EventDecoder {
  readonly #schemaOf: SchemaOf;
  readonly #reader: Type;
  readonly #writers = new Map<number, Writer>();

  constructor(schemaOf: SchemaOf, readerSchema: object = bookEventSchema) {
    this.#schemaOf = schemaOf;
    this.#reader = typeOf(readerSchema);
  }

  /** Throws where the bytes are no such record. A zero byte and the schema's id in four stand before it. */
  async decode(framed: Buffer): Promise<BookEvent> {
    if (framed.length < 5 || framed[0] !== 0) throw new TypeError('no record of a schema registry');
    const id = framed.readUInt32BE(1);
    const writer = this.#writers.get(id) ?? (await this.#learn(id));
    return eventOf(this.#reader.fromBuffer(framed.subarray(5), writer.resolver as never) as Told);
  }

  async #learn(id: number): Promise<Writer> {
    const type = typeOf(await this.#schemaOf(id));
    const writer = { type, resolver: this.#reader.createResolver(type) };
    this.#writers.set(id, writer);
    return writer;
  }
}

/** Also of a long that carries a logical type, which a registry of types by name does not reach. */
function typeOf(schema: object): Type {
  const isLong = (each: unknown) => each === 'long' || (each as { type?: unknown }).type === 'long';
  return avsc.Type.forSchema(schema as Schema, { typeHook: (each) => (isLong(each) ? exactLong : undefined) });
}

/** The record as Avro has it, where it differs from how it is given. */
type Told = Omit<BookEvent, 'occurred_on' | 'recorded_at' | 'book_version' | 'evidence' | 'evidence_at'> & {
  readonly occurred_on: number | null;
  readonly recorded_at: bigint;
  readonly version_facts: bigint;
  readonly version_at: bigint | null;
  readonly evidence: { 'lending.Evidence'?: ToldEvidence; 'lending.EvidenceAt'?: { sequence: bigint } } | null;
};

type ToldEvidence = Omit<Evidence, 'taken_in_at'> & { readonly taken_in_at: bigint };

/** As plain objects: what avsc makes carries its own methods along. */
function eventOf({ version_facts, version_at, evidence, ...told }: Told): BookEvent {
  const carried = evidence?.['lending.Evidence'];
  return {
    ...told,
    occurred_on: told.occurred_on === null ? null : civilDay(told.occurred_on),
    recorded_at: moment(told.recorded_at),
    book_version: { facts: version_facts, version: version_at === null ? null : moment(version_at) },
    act: told.act && { ...told.act },
    reference: told.reference && { ...told.reference },
    issued: told.issued && { ...told.issued },
    listed: told.listed && { ...told.listed },
    evidence: carried === undefined ? null : { ...carried, taken_in_at: moment(carried.taken_in_at) },
    evidence_at: evidence?.['lending.EvidenceAt']?.sequence ?? null,
  };
}

function civilDay(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

function moment(micros: bigint): string {
  const seconds = new Date(Number(micros / 1_000_000n) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}
