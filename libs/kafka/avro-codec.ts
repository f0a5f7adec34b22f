/** Encodes and decodes Avro records behind the schema registry's header: a zero byte and the schema id in four bytes. */
import { readFileSync } from 'node:fs';
import avsc, { type Schema, type Type } from 'avsc';
import type { Compatibility, SchemaRegistry } from './schema-registry.ts';

/** Reads longs as bigint: avsc's own type rounds some values beyond 2^52 without an error. */
export const exactLong = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint' && value === BigInt.asIntN(64, value),
  compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

export interface AvroSchemaOptions {
  readonly subject: string;
  readonly schema: object;
  readonly compatibility: Compatibility;
  /** Decode longs as bigint. They are encoded from numbers in either case. */
  readonly exactLongs?: boolean;
}

/** A schema of `schemas/`, by its name without extension. */
export function readSchemaFile(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.avsc`, import.meta.url), 'utf8')) as object;
}

/** The schema a record was written with, and how to read it with the schema of this release. */
interface WriterSchema {
  readonly type: Type;
  readonly resolver: ReturnType<Type['createResolver']>;
}

const headerBytes = 5;
const maxSchemaId = 2 ** 31 - 1;
/** The length of a record is not known before it is encoded; most fit here and are then copied. */
const scratchBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export class AvroCodec<Decoded, Encodable = Decoded> {
  readonly #writeType: Type;
  readonly #readType: Type;
  readonly #options: AvroSchemaOptions;
  readonly #registry: SchemaRegistry;
  readonly #schemaId: number;
  readonly #writerSchemas = new Map<number, WriterSchema>();

  private constructor(options: AvroSchemaOptions, registry: SchemaRegistry, schemaId: number) {
    this.#options = options;
    this.#registry = registry;
    this.#schemaId = schemaId;
    this.#writeType = typeOf(options.schema, false);
    this.#readType = typeOf(options.schema, options.exactLongs === true);
  }

  /** Rejects with SchemaNotRegisteredError where `lending prepare` did not register the schema. */
  static async open<Decoded, Encodable = Decoded>(
    registry: SchemaRegistry,
    options: AvroSchemaOptions,
  ): Promise<AvroCodec<Decoded, Encodable>> {
    const schemaId = await registry.findId(options.subject, options.schema);
    return new AvroCodec<Decoded, Encodable>(options, registry, schemaId);
  }

  encode(record: Encodable): Buffer {
    let buffer = scratchBuffer;
    let end = this.#writeType.encode(record, buffer, headerBytes);
    if (end < 0) {
      // A negative result is the number of missing bytes.
      buffer = Buffer.allocUnsafeSlow(buffer.length - end);
      end = this.#writeType.encode(record, buffer, headerBytes);
    }
    buffer[0] = 0;
    buffer.writeUInt32BE(this.#schemaId, 1);
    return buffer === scratchBuffer ? Buffer.from(buffer.subarray(0, end)) : buffer.subarray(0, end);
  }

  /** Throws when the bytes are not such a record. Returns a promise when the writer's schema has to be fetched. */
  decode(bytes: Buffer): Decoded | Promise<Decoded> {
    if (bytes.length < headerBytes || bytes[0] !== 0) {
      throw new TypeError('not an Avro record: it does not begin with the header of a schema registry');
    }
    const id = bytes.readUInt32BE(1);
    if (id === this.#schemaId) return this.#readType.fromBuffer(bytes.subarray(headerBytes)) as Decoded;
    // The registry answers such an id with an error that looks like an outage.
    if (id > maxSchemaId) throw new TypeError(`schema id ${id} is above the largest possible id ${maxSchemaId}`);
    const known = this.#writerSchemas.get(id);
    if (known !== undefined) return this.#decodeWith(known, bytes);
    return this.#fetchWriterSchema(id).then((fetched) => this.#decodeWith(fetched, bytes));
  }

  #decodeWith({ resolver }: WriterSchema, bytes: Buffer): Decoded {
    return this.#readType.fromBuffer(bytes.subarray(headerBytes), resolver) as Decoded;
  }

  async #fetchWriterSchema(id: number): Promise<WriterSchema> {
    const schema = await this.#registry.getSchema(this.#options.subject, id);
    const type = typeOf(schema, this.#options.exactLongs === true);
    const fetched = { type, resolver: this.#readType.createResolver(type) };
    this.#writerSchemas.set(id, fetched);
    return fetched;
  }
}

/** A type hook, because a registry of types by name would miss longs with a logical type. */
function typeOf(schema: object, exactLongs: boolean): Type {
  const isLong = (schema: unknown) => schema === 'long' || (schema as { type?: unknown }).type === 'long';
  const typeHook = (schema: Schema) => (exactLongs && isLong(schema) ? exactLong : undefined);
  return avsc.Type.forSchema(schema as Schema, { typeHook });
}
