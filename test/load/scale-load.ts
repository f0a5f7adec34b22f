/** What a number of Receipts a year asks of each part of a cell. Everything here is in proportion to that number. */
import { daysPerYear, meanPerSecond, ofKeptDays } from './provisioning.ts';
import type { Assumptions } from './scale-assumptions.ts';

export interface Load {
  /** In the busiest second. */
  readonly receiptsPerSecond: number;
  readonly factsPerSecond: number;
  readonly readsPerSecond: number;
  /** Cores that are busy in the busiest second. */
  readonly cores: Readonly<Record<LoadedPart, number>>;
  readonly walBytesPerSecond: number;
  readonly meanWalBytesPerDay: number;
  /** What is held at the end of the last year. */
  readonly facts: number;
  readonly storeBytes: number;
  readonly storeBytesPerYear: number;
  readonly requestLogBytes: number;
  /** Indexes that are written in no order: each fact changes another page of them. */
  readonly indexBytes: number;
  /** Of one replica. */
  readonly topics: Readonly<Record<'submissions' | 'events' | 'movements', number>>;
}

export type LoadedPart = 'gateway' | 'console' | 'processor' | 'movements' | 'kafka' | 'postgres';

export function loadOf(receiptsPerYear: number, inputs: Assumptions): Load {
  const mixed = (single: number, batched: number): number =>
    single * (1 - inputs.batchedShare) + batched * inputs.batchedShare;
  const factsPerYear = receiptsPerYear * inputs.factsPerReceipt;
  const receiptsPerSecond = meanPerSecond(receiptsPerYear) * inputs.peakFactor;
  const factsPerSecond = meanPerSecond(factsPerYear) * inputs.peakFactor;
  const reads = readsOf(inputs);
  const readsPerSecond = receiptsPerSecond * reads.perReceipt;
  const bookLoadMicros = inputs.bookLoadMicros * inputs.booksFromPostgresShare;
  const outsidePostgres = 1 - inputs.readPostgresShare;
  const bookLoadOutsidePostgres = bookLoadMicros * (1 - inputs.bookLoadPostgresShare);
  const cores = (microsPerFact: number, microsPerReceipt = 0): number =>
    ((factsPerSecond * microsPerFact + receiptsPerSecond * microsPerReceipt) / 1e6) * inputs.slowdown;
  // The log has an entry for each single Receipt, for each batch of 100, and for each read.
  const requestsPerReceipt = mixed(1, 0.01) * inputs.factsPerReceipt + reads.perReceipt;
  const walBytesPerYear =
    factsPerYear * mixed(inputs.walSingleBytes, inputs.walBatchedBytes) +
    receiptsPerYear * reads.perReceipt * inputs.walReadBytes;
  const storeBytesPerYear = factsPerYear * mixed(inputs.storeSingleBytes, inputs.storeBatchedBytes);
  return {
    receiptsPerSecond,
    factsPerSecond,
    readsPerSecond,
    cores: {
      gateway: cores(
        mixed(inputs.gatewaySingleMicros, inputs.gatewayBatchedMicros),
        reads.micros * outsidePostgres + reads.books * bookLoadOutsidePostgres,
      ),
      console: cores(0, inputs.consolePagesPerReceipt * inputs.consolePageMicros * outsidePostgres),
      processor: cores(mixed(inputs.processorSingleMicros, inputs.processorBatchedMicros) + bookLoadOutsidePostgres),
      movements: cores(inputs.movementMicros),
      kafka: cores(mixed(inputs.kafkaSingleMicros, inputs.kafkaBatchedMicros) * inputs.replicas),
      postgres: cores(
        mixed(inputs.postgresSingleMicros, inputs.postgresBatchedMicros) +
          bookLoadMicros * inputs.bookLoadPostgresShare,
        (reads.micros + inputs.consolePagesPerReceipt * inputs.consolePageMicros) * inputs.readPostgresShare +
          reads.books * bookLoadMicros * inputs.bookLoadPostgresShare,
      ),
    },
    walBytesPerSecond: meanPerSecond(walBytesPerYear) * inputs.peakFactor,
    meanWalBytesPerDay: walBytesPerYear / daysPerYear,
    facts: factsPerYear * inputs.years,
    storeBytes: storeBytesPerYear * inputs.years,
    storeBytesPerYear,
    requestLogBytes: ofKeptDays(receiptsPerYear * requestsPerReceipt * inputs.requestLogBytes, inputs),
    indexBytes: factsPerYear * inputs.years * inputs.indexBytes,
    topics: {
      submissions: ofKeptDays(
        factsPerYear * mixed(inputs.submissionSingleBytes, inputs.submissionBatchedBytes),
        inputs,
      ),
      events: factsPerYear * inputs.years * mixed(inputs.eventSingleBytes, inputs.eventBatchedBytes),
      movements: factsPerYear * inputs.years * mixed(inputs.movementSingleBytes, inputs.movementBatchedBytes),
    },
  };
}

/** Of the API; the pages of the console are apart, in a service of their own. */
function readsOf(inputs: Assumptions): { perReceipt: number; micros: number; books: number } {
  const kinds = [
    [inputs.paymentOptionsPerReceipt, inputs.paymentOptionsMicros],
    [inputs.loanReadsPerReceipt, inputs.loanReadMicros],
    [inputs.statementsPerReceipt, inputs.statementMicros],
    [inputs.listingsPerReceipt, inputs.listingMicros],
    [inputs.duesPagesPerReceipt, inputs.duesPageMicros],
  ] as const;
  const perReceipt = kinds.reduce((sum, [count]) => sum + count, 0);
  return {
    perReceipt,
    micros: kinds.reduce((sum, [count, micros]) => sum + count * micros, 0),
    // A page of dues reads a book for each of its 50 Clients.
    books: perReceipt + inputs.duesPagesPerReceipt * 49,
  };
}
