/** Avro behind the registry's header: a zero byte, the schema's id in four, the record. */
import avsc, { type Schema, type Type } from 'avsc';
import type { Compatibility, SchemaRegistry } from './schema-registry.ts';

/** avsc reads some longs beyond 2^52 wrongly without saying so: public records are read with this instead. */
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
} as never);

export interface AvroOptions {
  readonly subject: string;
  readonly schema: object;
  readonly compatibility: Compatibility;
  /** Longs are read as bigint; they are written from numbers either way. */
  readonly exactLongs?: boolean;
}

const headerBytes = 5;
const largestId = 2 ** 31 - 1;
/** Written here first, for nobody knows a record's length before: the library's own is a kibibyte, and more is written twice. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024);

export class AvroCodec<Record, Written = Record> {
  readonly #written: Type;
  readonly #read: Type;
  readonly #options: AvroOptions;
  readonly #registry: SchemaRegistry;
  readonly #id: number;
  readonly #others = new Map<number, { type: Type; resolver: unknown }>();

  private constructor(options: AvroOptions, registry: SchemaRegistry, id: number) {
    this.#options = options;
    this.#registry = registry;
    this.#id = id;
    this.#written = typeOf(options.schema, false);
    this.#read = typeOf(options.schema, options.exactLongs === true);
  }

  static async register<Record, Written = Record>(
    registry: SchemaRegistry,
    options: AvroOptions,
  ): Promise<AvroCodec<Record, Written>> {
    const id = await registry.register(options.subject, options.schema, options.compatibility);
    return new AvroCodec<Record, Written>(options, registry, id);
  }

  encode(record: Written): Buffer {
    let into = workspace;
    let end = this.#written.encode(record, into, headerBytes);
    if (end < 0) {
      // So many bytes were missing.
      into = Buffer.allocUnsafeSlow(into.length - end);
      end = this.#written.encode(record, into, headerBytes);
    }
    into[0] = 0;
    into.writeUInt32BE(this.#id, 1);
    return into === workspace ? Buffer.from(into.subarray(0, end)) : into.subarray(0, end);
  }

  /** Throws where the bytes are no such record. */
  decode(framed: Buffer): Record | Promise<Record> {
    if (framed.length < 5 || framed[0] !== 0) throw new TypeError('not behind the header of a registry');
    const id = framed.readUInt32BE(1);
    if (id === this.#id) return this.#read.fromBuffer(framed.subarray(5)) as Record;
    // Asked of a registry it would not be told from one that is away.
    if (id > largestId) throw new TypeError(`no registry gives an id as large as ${id}`);
    const known = this.#others.get(id);
    if (known !== undefined) return this.#resolve(known, framed);
    return this.#learn(id).then((learned) => this.#resolve(learned, framed));
  }

  #resolve(writer: { type: Type; resolver: unknown }, framed: Buffer): Record {
    return this.#read.fromBuffer(framed.subarray(5), writer.resolver as never) as Record;
  }

  async #learn(id: number): Promise<{ type: Type; resolver: unknown }> {
    const type = typeOf(await this.#registry.schemaOf(this.#options.subject, id), this.#options.exactLongs === true);
    const learned = { type, resolver: this.#read.createResolver(type) };
    this.#others.set(id, learned);
    return learned;
  }
}

/** Also of a long that carries a logical type, which a registry of types by name does not reach. */
function typeOf(schema: object, exactLongs: boolean): Type {
  const isLong = (each: unknown) => each === 'long' || (each as { type?: unknown }).type === 'long';
  const typeHook = (each: Schema) => (exactLongs && isLong(each) ? exactLong : undefined);
  return avsc.Type.forSchema(schema as Schema, { typeHook });
}
