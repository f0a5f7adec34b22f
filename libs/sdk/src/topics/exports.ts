/** The exports of `lending-sdk/events`. */
// biome-ignore-all lint/performance/noBarrelFile: a package has one entry

export type { SchemaOf } from './avro-decoder.ts';
export type { ActAccount, BookEvent, Evidence, IssuedUnder, ListedAs, RecordedReference } from './book-event.ts';
export {
  type Batch,
  type ConsumeMovementsOptions,
  type ConsumeOptions,
  consumeBookEvents,
  consumeMovements,
  type MovementBatch,
} from './consume.ts';
export { EventsMissingError, InvalidPositionError, OutOfPlaceError, type Position } from './consumer-position.ts';
export { EventDecoder } from './event-decoder.ts';
export { factBody } from './fact-body.ts';
export type { LoanMovement, Movement, MovementLine } from './movement.ts';
export { MovementDecoder } from './movement-decoder.ts';
export type { RegistryAddress } from './schema-registry.ts';
export { UndecodableEventError } from './undecodable-event-error.ts';
