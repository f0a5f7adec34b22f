/**
 * Where the numbered records of a partition end, and whether what is stored contradicts what was known of that end: a
 * record appended behind a lost one would leave a gap for ever.
 */
import type { KafkaClient } from './kafka-client.ts';
import { readKeptTails, type TopicTail } from './topic-offsets.ts';

export interface TopicEnd {
  /** The highest number in the partition. */
  readonly sequence: number;
  readonly nextOffset: number;
}

/** What is kept of a record: its number, and the submission that it is of. */
export interface PublishedRecord {
  readonly partition: number;
  readonly sequence: bigint;
  readonly request_id: string;
  readonly item: number;
}

type Numbered = Pick<PublishedRecord, 'sequence'>;

export interface CheckedTail<Kept> {
  /** The record with the highest number, where the tail holds it. */
  readonly last: Kept | undefined;
  readonly sequence: number;
  readonly missing?: number;
  /** A later number in a place that held a published one. */
  readonly replaced?: number;
}

export interface CheckedEnd<Kept = PublishedRecord> extends CheckedTail<Kept>, TopicEnd {
  /** The partition ends before the end that was known. */
  readonly isShorter?: boolean;
}

export interface NumberedTopic {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly codec: { decode(value: Buffer): PublishedRecord | Promise<PublishedRecord> };
}

/** How many records are read at the end of a partition. A former owner may have repeated some as the last ones. */
const lastRecords = 100;
/** Where more was appended since the end was known, only the last records are read. */
const maxCheckedRecords = 10_000;
/** So many records in a row are no repeats: a former owner repeats at most what it sends at once. */
const maxRepeatedRecords = 10_000;

/** Of each partition, with the last end that was known of it. */
export async function readTopicEnds(
  { kafka, topic, codec }: NumberedTopic,
  knownEnds: ReadonlyMap<number, TopicEnd | undefined>,
): Promise<Map<number, CheckedEnd>> {
  const keep = async (value: Buffer): Promise<PublishedRecord> => {
    const { partition, sequence, request_id, item } = await codec.decode(value);
    return { partition, sequence, request_id, item };
  };
  const tails = await readKeptTails({
    kafka,
    topic,
    partitions: [...knownEnds.keys()],
    fromOffset: (partition, { high }) => {
      const known = knownEnds.get(partition)?.nextOffset;
      return known === undefined || high - known > maxCheckedRecords ? high - lastRecords : known - 1;
    },
    keep,
  });
  const ends = new Map<number, CheckedEnd>();
  for (const [partition, tail] of tails) {
    const readFrom = async (offset: number): Promise<TopicTail<PublishedRecord>> => {
      const longer = await readKeptTails({ kafka, topic, partitions: [partition], fromOffset: () => offset, keep });
      return longer.get(partition) ?? tail;
    };
    ends.set(partition, await checkEnd(tail, knownEnds.get(partition), readFrom));
  }
  return ends;
}

/** `readFrom` reads the partition again from an offset on. */
export async function checkEnd<Kept extends Numbered>(
  tail: TopicTail<Kept>,
  known: TopicEnd | undefined,
  readFrom: (offset: number) => Promise<TopicTail<Kept>>,
): Promise<CheckedEnd<Kept>> {
  const { firstOffset, nextOffset } = tail;
  // A repair removes all records: then they are published again from the first.
  const isEmpty = firstOffset === nextOffset;
  if (known !== undefined && nextOffset < known.nextOffset && !isEmpty)
    return { last: undefined, sequence: known.sequence, nextOffset, isShorter: true };
  const tailFrom = tail.records[0]?.offset ?? nextOffset;
  const isKnownEndStored = known !== undefined && !isEmpty && firstOffset < known.nextOffset;
  if (isKnownEndStored && tailFrom <= known.nextOffset) return { ...checkContinuation(tail, known), nextOffset };
  const checked = findHighest(tail, tailFrom);
  if (checked.missing === undefined || tailFrom === firstOffset) return { ...checked, nextOffset };
  // The number may be in front of repeated records that fill the tail.
  const longer = await readFrom(tailFrom - maxRepeatedRecords);
  return { ...findHighest(longer, tailFrom), nextOffset: longer.nextOffset };
}

/**
 * Checks what follows the known end. Records that a former owner repeated are allowed; a missing one is not. Where the
 * first stored record was read, it must be number 1.
 */
export function checkContinuation<Kept extends Numbered>(
  { records, firstOffset }: TopicTail<Kept>,
  known: TopicEnd,
): CheckedTail<Kept> {
  let { sequence } = known;
  let last: Kept | undefined;
  for (const { offset, value } of records) {
    const number = Number(value.sequence);
    if (offset === firstOffset && number > 1) return { last, sequence, missing: 1 };
    if (offset < known.nextOffset && number > known.sequence) return { last, sequence, replaced: number };
    if (number > sequence + 1) return { last, sequence, missing: sequence + 1 };
    if (number < sequence) continue;
    sequence = number;
    last = value;
  }
  return { last, sequence };
}

/**
 * The record with the highest number: the last one may repeat an earlier one. `missing` is the first number that is left
 * out at or after the offset `checkedFrom`. Records before it, which may begin with repeats, only show what is not missing.
 */
export function findHighest<Kept extends Numbered>(
  { records, firstOffset }: TopicTail<Kept>,
  checkedFrom: number,
): CheckedTail<Kept> {
  let last: Kept | undefined;
  let missing: number | undefined;
  for (const { offset, value } of records) {
    const number = Number(value.sequence);
    // Before the first stored record there is nothing.
    const highest = offset === firstOffset ? 0 : Number(last?.sequence ?? number - 1);
    if (number > highest + 1 && offset >= checkedFrom) missing ??= highest + 1;
    if (last === undefined || value.sequence >= last.sequence) last = value;
  }
  const sequence = Number(last?.sequence ?? 0);
  return missing === undefined ? { last, sequence } : { last, sequence, missing };
}
