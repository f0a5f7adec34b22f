/** The exports of `lending-sdk`. */
// biome-ignore-all lint/performance/noBarrelFile: a package has one entry
// biome-ignore-all lint/performance/noReExportAll: callers may name every type of the contract

export { contractVersion } from './contract/routes.ts';
export type * from './contract/shapes.ts';
export { LendingError, RefusalError, UnreachableError } from './errors.ts';
export type {
  FeedEvents,
  FollowOptions,
  PollOptions,
  StreamOptions,
} from './feed.ts';
export type { Answer, AnsweredRequest } from './http-client.ts';
export { Lending, type LendingOptions } from './lending.ts';
export type { Listing } from './listing.ts';
export { toDecimal, toMoney } from './money.ts';
export type { BatchOptions, ReportedReceipt } from './receipt-batches.ts';
export type { Patience } from './retry.ts';
export type { AskOptions, Options, RouteName } from './route-arguments.ts';
export { openSigner, type Signer } from './signing.ts';
