/** The exports of `lending-sdk/events`. */
// biome-ignore-all lint/performance/noBarrelFile: a package has one entry

export type { ActAccount, BookEvent, Evidence, IssuedUnder, ListedAs, RecordedReference } from './book-event.ts';
export { type Batch, type ConsumeOptions as Consuming, consumeBookEvents } from './consumer.ts';
export { EventsMissing, OutOfPlace, type Position } from './consumer-position.ts';
export { EventDecoder, type SchemaOf } from './event-decoder.ts';
export type { RegistryAddress } from './schema-registry.ts';
