/** What `lending-sdk` gives. */
// biome-ignore-all lint/performance/noBarrelFile: a package has one door, and this is where callers knock
// biome-ignore-all lint/performance/noReExportAll: every shape of the contract is the caller's to name

export type { BatchOptions, Reported } from './batch.ts';
export { contractVersion, type Operations, type Options, type RouteName } from './contract/routes.ts';
export type * from './contract/shapes.ts';
export { LendingError, LendingUnreachable } from './errors.ts';
export type { Following, Polling, Streaming, Told } from './following.ts';
export { Lending, type LendingOptions } from './lending.ts';
export type { Patience } from './retrying.ts';
export type { Answer } from './sending.ts';
export { openSigner, type Signer } from './signing.ts';
