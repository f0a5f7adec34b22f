/**
 * Arrays in Postgres's binary form. A batch goes to the server as columns; written this way nothing is quoted on this
 * side or parsed on the other, and bytes travel as bytes. The driver sends a Buffer as a binary parameter.
 */

const oids = { int2: 21, int4: 23, int8: 20, text: 25, bytea: 17, uuid: 2950 } as const;

/** One dimension, whether there are nulls, the element's type, the length, the lower bound. */
function begin(bytes: number, oid: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(20 + bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

function none(oid: number): Buffer {
  const buffer = Buffer.alloc(12);
  buffer.writeInt32BE(oid, 8);
  return buffer;
}

function fixed<Value>(
  values: readonly (Value | null | undefined)[],
  oid: number,
  size: number,
  write: (buffer: Buffer, value: Value, at: number) => void,
): Buffer {
  if (values.length === 0) return none(oid);
  const buffer = begin(values.length * (4 + size), oid, values.length);
  let at = 20;
  for (const value of values) {
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
    } else {
      buffer.writeInt32BE(size, at);
      write(buffer, value, at + 4);
      at += 4 + size;
    }
  }
  return buffer.subarray(0, at);
}

export function int2Array(values: readonly (number | null | undefined)[]): Buffer {
  return fixed(values, oids.int2, 2, (buffer, value, at) => buffer.writeInt16BE(value, at));
}

export function int4Array(values: readonly (number | null | undefined)[]): Buffer {
  return fixed(values, oids.int4, 4, (buffer, value, at) => buffer.writeInt32BE(value, at));
}

export function int8Array(values: readonly (number | null | undefined)[]): Buffer {
  return fixed(values, oids.int8, 8, (buffer, value, at) => {
    const high = Math.floor(value / 0x1_0000_0000);
    buffer.writeInt32BE(high, at);
    buffer.writeUInt32BE(value - high * 0x1_0000_0000, at + 4);
  });
}

export function uuidArray(values: readonly (string | null | undefined)[]): Buffer {
  return fixed(values, oids.uuid, 16, (buffer, value, at) => {
    const written = buffer.write(value.replaceAll('-', ''), at, 16, 'hex');
    if (written !== 16) throw new TypeError(`${value} is no UUID`);
  });
}

export function textArray(values: readonly (string | null | undefined)[]): Buffer {
  if (values.length === 0) return none(oids.text);
  let bytes = values.length * 4;
  // Three bytes are the most a UTF-16 unit takes in UTF-8.
  for (const value of values) bytes += (value?.length ?? 0) * 3;
  const buffer = begin(bytes, oids.text, values.length);
  let at = 20;
  for (const value of values) {
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
    } else {
      const written = buffer.write(value, at + 4);
      buffer.writeInt32BE(written, at);
      at += 4 + written;
    }
  }
  return buffer.subarray(0, at);
}

export function byteaArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  if (values.length === 0) return none(oids.bytea);
  let bytes = values.length * 4;
  for (const value of values) bytes += value?.length ?? 0;
  const buffer = begin(bytes, oids.bytea, values.length);
  let at = 20;
  for (const value of values) {
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
    } else {
      buffer.writeInt32BE(value.length, at);
      buffer.set(value, at + 4);
      at += 4 + value.length;
    }
  }
  return buffer;
}
