/**
 * Values in Postgres's binary format. A batch is sent as arrays, one per column: the client quotes nothing and the
 * server parses nothing. The driver sends a Buffer as a binary parameter.
 */

export type Values<Value> = readonly (Value | null | undefined)[];

export interface ElementType<Value> {
  readonly name: string;
  readonly oid: number;
  readonly arrayOid: number;
  /** An upper bound of the bytes that all values together take. */
  readonly maxBytes: (values: Values<Value>) => number;
  /** Writes a value at an offset and answers where it ends. */
  readonly write: (buffer: Buffer, value: Value, at: number) => number;
}

export const int2: ElementType<number> = {
  name: 'int2',
  oid: 21,
  arrayOid: 1005,
  maxBytes: (values) => values.length * 2,
  write: (buffer, value, at) => buffer.writeInt16BE(value, at),
};

export const int4: ElementType<number> = {
  name: 'int4',
  oid: 23,
  arrayOid: 1007,
  maxBytes: (values) => values.length * 4,
  write: (buffer, value, at) => buffer.writeInt32BE(value, at),
};

export const int8: ElementType<number> = {
  name: 'int8',
  oid: 20,
  arrayOid: 1016,
  maxBytes: (values) => values.length * 8,
  write(buffer, value, at) {
    const high = Math.floor(value / 0x1_0000_0000);
    buffer.writeInt32BE(high, at);
    return buffer.writeUInt32BE(value - high * 0x1_0000_0000, at + 4);
  },
};

export const text: ElementType<string> = {
  name: 'text',
  oid: 25,
  arrayOid: 1009,
  // A UTF-16 unit takes at most three bytes in UTF-8.
  maxBytes: (values) => totalLength(values) * 3,
  write: (buffer, value, at) => at + buffer.write(value, at),
};

export const bytea: ElementType<Uint8Array> = {
  name: 'bytea',
  oid: 17,
  arrayOid: 1001,
  maxBytes: totalLength,
  write(buffer, value, at) {
    buffer.set(value, at);
    return at + value.length;
  },
};

export const uuid: ElementType<string> = {
  name: 'uuid',
  oid: 2950,
  arrayOid: 2951,
  maxBytes: (values) => values.length * 16,
  write(buffer, value, at) {
    const written = buffer.write(value.replaceAll('-', ''), at, 16, 'hex');
    if (written !== 16) throw new TypeError(`invalid UUID: ${value}`);
    return at + written;
  },
};

export const int2Array = arrayOf(int2);
export const int4Array = arrayOf(int4);
export const int8Array = arrayOf(int8);
export const uuidArray = arrayOf(uuid);
export const textArray = arrayOf(text);
export const byteaArray = arrayOf(bytea);

function arrayOf<Value>(type: ElementType<Value>): (values: Values<Value>) => Buffer {
  return (values) => encodeArray(type, values);
}

function encodeArray<Value>(type: ElementType<Value>, values: Values<Value>): Buffer {
  if (values.length === 0) return emptyArray(type.oid);
  const buffer = Buffer.allocUnsafe(20 + values.length * 4 + type.maxBytes(values));
  // One dimension, whether there are nulls, the element type, the length, the lower bound.
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type.oid, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = 20;
  for (const value of values) {
    if (value === null || value === undefined) {
      at = buffer.writeInt32BE(-1, at);
    } else {
      const end = type.write(buffer, value, at + 4);
      buffer.writeInt32BE(end - at - 4, at);
      at = end;
    }
  }
  return buffer.subarray(0, at);
}

function emptyArray(elementOid: number): Buffer {
  const buffer = Buffer.alloc(12);
  buffer.writeInt32BE(elementOid, 8);
  return buffer;
}

/** A field of a composite type: its type and its encoded value, null for SQL NULL. */
export interface CompositeField {
  readonly oid: number;
  readonly value: Buffer | null;
}

export function arrayField<Value>(type: ElementType<Value>, values: Values<Value>): CompositeField {
  return { oid: type.arrayOid, value: encodeArray(type, values) };
}

export function jsonField(json: string | null): CompositeField {
  return { oid: 114, value: json === null ? null : Buffer.from(json) };
}

/** A value of a composite type. The fields are in the order of its declaration. */
export function encodeComposite(fields: readonly CompositeField[]): Buffer {
  const header = Buffer.alloc(4);
  header.writeInt32BE(fields.length);
  const parts: Buffer[] = [header];
  for (const { oid, value } of fields) {
    const prefix = Buffer.alloc(8);
    prefix.writeInt32BE(oid, 0);
    prefix.writeInt32BE(value?.length ?? -1, 4);
    parts.push(prefix);
    if (value !== null) parts.push(value);
  }
  return Buffer.concat(parts);
}

function totalLength(values: Values<{ readonly length: number }>): number {
  return values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
}
