import type { StoredRecord } from './topic-offsets.ts';

interface Numbered {
  readonly sequence: bigint;
}

/** Of the end of a partition. The last record may repeat an earlier one, which a former owner appended late. */
export async function highestRecord<Decoded extends Numbered>(
  codec: { decode(value: Buffer): Decoded | Promise<Decoded> },
  records: readonly StoredRecord[],
): Promise<Decoded | undefined> {
  let highest: Decoded | undefined;
  for (const { value } of records) {
    const record = await codec.decode(value);
    if (highest === undefined || record.sequence >= highest.sequence) highest = record;
  }
  return highest;
}
