/** Decodes records of a topic into a schema of this package, whichever schema they were written with. */
import avsc, { type Schema, type Type } from 'avsc';
import { UndecodableEventError } from './undecodable-event-error.ts';

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

/** Fetches each schema once. */
export class AvroDecoder<Decoded> {
  readonly #schemaOf: SchemaOf;
  readonly #reader: Type;
  readonly #convert: (record: unknown) => Decoded;
  readonly #writers = new Map<number, WriterSchema>();

  /** `convert` gets the record as avsc decodes it. */
  constructor(schemaOf: SchemaOf, readerSchema: object, convert: (record: unknown) => Decoded) {
    this.#schemaOf = schemaOf;
    this.#reader = avroType(readerSchema);
    this.#convert = convert;
  }

  /** Expects a zero byte and four bytes of schema id before the record. Throws an UndecodableEventError for other bytes. */
  async decode(framed: Buffer): Promise<Decoded> {
    if (framed.length < 5 || framed[0] !== 0)
      throw new UndecodableEventError('not a record with a schema id; expected a zero byte and four bytes of id');
    const id = framed.readUInt32BE(1);
    const writer = this.#writers.get(id) ?? (await this.#loadWriter(id));
    try {
      return this.#convert(this.#reader.fromBuffer(framed.subarray(5), writer.resolver));
    } catch (cause) {
      throw new UndecodableEventError(`not a record of schema ${id}: ${String(cause)}`, cause);
    }
  }

  async #loadWriter(id: number): Promise<WriterSchema> {
    const schema = await this.#schemaOf(id);
    try {
      const type = avroType(schema);
      const writer = { type, resolver: this.#reader.createResolver(type) };
      this.#writers.set(id, writer);
      return writer;
    } catch (cause) {
      throw new UndecodableEventError(`schema ${id} is not one of these records: ${String(cause)}`, cause);
    }
  }
}

/** The hook also replaces longs with a logical type, which a registry of named types does not. */
function avroType(schema: object): Type {
  const isLong = (each: unknown) => each === 'long' || (each as { type?: unknown }).type === 'long';
  return avsc.Type.forSchema(schema as Schema, { typeHook: (each) => (isLong(each) ? exactLong : undefined) });
}

/** Days since 1970-01-01 as YYYY-MM-DD. */
export function formatDay(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

/** Microseconds since 1970 as RFC 3339 in UTC with six decimals. */
export function formatMoment(micros: bigint): string {
  const seconds = new Date(Number(micros / 1_000_000n) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}
