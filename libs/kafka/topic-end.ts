/**
 * Where the numbered records of a partition end, and whether what is stored contradicts what was known of that end: a
 * record appended behind a lost one would leave a gap for ever.
 */
import type { KafkaClient } from './kafka-client.ts';
import { readTopicTails, type TopicTail } from './topic-offsets.ts';

export interface TopicEnd {
  /** The highest number in the partition. */
  readonly sequence: number;
  readonly nextOffset: number;
}

export interface Numbered {
  readonly sequence: bigint;
}

export interface NumberedCodec<Decoded extends Numbered> {
  decode(value: Buffer): Decoded | Promise<Decoded>;
}

export interface CheckedTail<Decoded> {
  /** The record with the highest number, where the tail holds it. */
  readonly last: Decoded | undefined;
  readonly sequence: number;
  readonly missing?: number;
  /** A later number in a place that held a published one. */
  readonly replaced?: number;
}

export interface CheckedEnd<Decoded> extends CheckedTail<Decoded>, TopicEnd {
  /** The partition ends before the end that was known. */
  readonly isShorter?: boolean;
}

export interface NumberedTopic<Decoded extends Numbered> {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly codec: NumberedCodec<Decoded>;
}

/** How many records are read at the end of a partition. A former owner may have repeated some as the last ones. */
const lastRecords = 100;
/** Where more was appended since the end was known, only the last records are read. */
const maxCheckedRecords = 10_000;
/** So many records in a row are no repeats: a former owner repeats at most what it sends at once. */
const maxRepeatedRecords = 10_000;

/** Of each partition, with the last end that was known of it. */
export async function readTopicEnds<Decoded extends Numbered>(
  { kafka, topic, codec }: NumberedTopic<Decoded>,
  knownEnds: ReadonlyMap<number, TopicEnd | undefined>,
): Promise<Map<number, CheckedEnd<Decoded>>> {
  const tails = await readTopicTails(kafka, topic, [...knownEnds.keys()], (partition, { high }) => {
    const known = knownEnds.get(partition)?.nextOffset;
    return known === undefined || high - known > maxCheckedRecords ? high - lastRecords : known - 1;
  });
  const ends = new Map<number, CheckedEnd<Decoded>>();
  for (const [partition, tail] of tails) {
    const readFrom = async (offset: number): Promise<TopicTail> =>
      (await readTopicTails(kafka, topic, [partition], () => offset)).get(partition) ?? tail;
    ends.set(partition, await checkEnd(codec, tail, knownEnds.get(partition), readFrom));
  }
  return ends;
}

/** `readFrom` reads the partition again from an offset on. */
export async function checkEnd<Decoded extends Numbered>(
  codec: NumberedCodec<Decoded>,
  tail: TopicTail,
  known: TopicEnd | undefined,
  readFrom: (offset: number) => Promise<TopicTail>,
): Promise<CheckedEnd<Decoded>> {
  const { firstOffset, nextOffset } = tail;
  // A repair removes all records: then they are published again from the first.
  const isEmpty = firstOffset === nextOffset;
  if (known !== undefined && nextOffset < known.nextOffset && !isEmpty)
    return { last: undefined, sequence: known.sequence, nextOffset, isShorter: true };
  const tailFrom = tail.records[0]?.offset ?? nextOffset;
  const isKnownEndStored = known !== undefined && !isEmpty && firstOffset < known.nextOffset;
  if (isKnownEndStored && tailFrom <= known.nextOffset)
    return { ...(await checkContinuation(codec, tail, known)), nextOffset };
  const checked = await findHighest(codec, tail, tailFrom);
  if (checked.missing === undefined || tailFrom === firstOffset) return { ...checked, nextOffset };
  // The number may be in front of repeated records that fill the tail.
  const longer = await readFrom(tailFrom - maxRepeatedRecords);
  return { ...(await findHighest(codec, longer, tailFrom)), nextOffset: longer.nextOffset };
}

/**
 * Checks what follows the known end. Records that a former owner repeated are allowed; a missing one is not. Where the
 * first stored record was read, it must be number 1.
 */
export async function checkContinuation<Decoded extends Numbered>(
  codec: NumberedCodec<Decoded>,
  { records, firstOffset }: TopicTail,
  known: TopicEnd,
): Promise<CheckedTail<Decoded>> {
  let { sequence } = known;
  let last: Decoded | undefined;
  for (const { offset, value } of records) {
    const record = await codec.decode(value);
    const number = Number(record.sequence);
    if (offset === firstOffset && number > 1) return { last, sequence, missing: 1 };
    if (offset < known.nextOffset && number > known.sequence) return { last, sequence, replaced: number };
    if (number > sequence + 1) return { last, sequence, missing: sequence + 1 };
    if (number < sequence) continue;
    sequence = number;
    last = record;
  }
  return { last, sequence };
}

/**
 * The record with the highest number: the last one may repeat an earlier one. `missing` is the first number that is left
 * out at or after the offset `checkedFrom`. Records before it, which may begin with repeats, only show what is not missing.
 */
export async function findHighest<Decoded extends Numbered>(
  codec: NumberedCodec<Decoded>,
  { records, firstOffset }: TopicTail,
  checkedFrom: number,
): Promise<CheckedTail<Decoded>> {
  let last: Decoded | undefined;
  let missing: number | undefined;
  for (const { offset, value } of records) {
    const record = await codec.decode(value);
    const number = Number(record.sequence);
    // Before the first stored record there is nothing.
    const highest = offset === firstOffset ? 0 : Number(last?.sequence ?? number - 1);
    if (number > highest + 1 && offset >= checkedFrom) missing ??= highest + 1;
    if (last === undefined || record.sequence >= last.sequence) last = record;
  }
  const sequence = Number(last?.sequence ?? 0);
  return missing === undefined ? { last, sequence } : { last, sequence, missing };
}
