/** What `lending-sdk/events` gives. */
// biome-ignore-all lint/performance/noBarrelFile: a package has one door, and this is where callers knock

export type { ActAccount, BookEvent, Evidence, IssuedUnder, ListedAs, RecordedReference } from './book-event.ts';
export { type Batch, type Consuming, consumeBookEvents } from './consumer.ts';
export { EventDecoder, type SchemaOf } from './decoding.ts';
export { EventsMissing, OutOfPlace, type Position } from './place.ts';
export type { RegistryAddress } from './registry.ts';
