/**
 * Arrays in Postgres's binary form. A batch goes to the server as columns; written this way nothing is quoted on this
 * side or parsed on the other, and bytes travel as bytes. The driver sends a Buffer as a binary parameter.
 */

const oids = { int2: 21, int4: 23, int8: 20, text: 25, bytea: 17, uuid: 2950 } as const;

type Values<Value> = readonly (Value | null | undefined)[];

function none(oid: number): Buffer {
  const buffer = Buffer.alloc(12);
  buffer.writeInt32BE(oid, 8);
  return buffer;
}

/** `write` answers where the value ends; `mostBytes` is what all values together take at the most. */
function binaryArray<Value>(
  values: Values<Value>,
  oid: number,
  mostBytes: number,
  write: (buffer: Buffer, value: Value, at: number) => number,
): Buffer {
  if (values.length === 0) return none(oid);
  const buffer = Buffer.allocUnsafe(20 + values.length * 4 + mostBytes);
  // One dimension, whether there are nulls, the element's type, the length, the lower bound.
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = 20;
  for (const value of values) {
    if (value === null || value === undefined) {
      at = buffer.writeInt32BE(-1, at);
    } else {
      const end = write(buffer, value, at + 4);
      buffer.writeInt32BE(end - at - 4, at);
      at = end;
    }
  }
  return buffer.subarray(0, at);
}

export function int2Array(values: Values<number>): Buffer {
  return binaryArray(values, oids.int2, values.length * 2, (buffer, value, at) => buffer.writeInt16BE(value, at));
}

export function int4Array(values: Values<number>): Buffer {
  return binaryArray(values, oids.int4, values.length * 4, (buffer, value, at) => buffer.writeInt32BE(value, at));
}

export function int8Array(values: Values<number>): Buffer {
  return binaryArray(values, oids.int8, values.length * 8, (buffer, value, at) => {
    const high = Math.floor(value / 0x1_0000_0000);
    buffer.writeInt32BE(high, at);
    return buffer.writeUInt32BE(value - high * 0x1_0000_0000, at + 4);
  });
}

export function uuidArray(values: Values<string>): Buffer {
  return binaryArray(values, oids.uuid, values.length * 16, (buffer, value, at) => {
    const written = buffer.write(value.replaceAll('-', ''), at, 16, 'hex');
    if (written !== 16) throw new TypeError(`${value} is no UUID`);
    return at + written;
  });
}

export function textArray(values: Values<string>): Buffer {
  // Three bytes are the most a UTF-16 unit takes in UTF-8.
  return binaryArray(values, oids.text, lengthOf(values) * 3, (buffer, value, at) => at + buffer.write(value, at));
}

export function byteaArray(values: Values<Uint8Array>): Buffer {
  return binaryArray(values, oids.bytea, lengthOf(values), (buffer, value, at) => {
    buffer.set(value, at);
    return at + value.length;
  });
}

function lengthOf(values: Values<{ readonly length: number }>): number {
  return values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
}
