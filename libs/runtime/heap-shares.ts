/** Which share of its heap a process may fill with what it keeps: a small heap gets small caches (decision 0060). */
import { getHeapStatistics } from 'node:v8';

const bytesPerMebibyte = 1024 * 1024;

interface HeapShare {
  readonly share: number;
  readonly maxMebibytes?: number;
}

/**
 * Together at most 60 % of the heap of a processor, and half of that of a gateway, which is ingress and query. In a cell with
 * several databases, a processor divides its shares among them.
 */
const heapShares = {
  processorBooks: { share: 0.3, maxMebibytes: 1_536 },
  /** Books that are loaded for one batch. */
  booksOfBatch: { share: 0.1 },
  /** Books that are loaded for one record of the log, and each book: beyond it a book is parked. */
  booksOfRecord: { share: 0.25 },
  unpublishedEvents: { share: 0.04, maxMebibytes: 96 },
  /** Of the process that computes movements, which needs up to three times a book to compute its movements. */
  movementBooks: { share: 0.15, maxMebibytes: 512 },
  /** Books that one statement loads for movements. */
  loadedMovementBooks: { share: 0.05, maxMebibytes: 32 },
  movementBook: { share: 0.2 },
  movementLines: { share: 0.25 },
  queryBooks: { share: 0.15, maxMebibytes: 640 },
  /** Books as they were known at a moment. */
  knownBooks: { share: 0.05, maxMebibytes: 32 },
  /** Books of pages, and single books while they are loaded. */
  booksOfReads: { share: 0.1, maxMebibytes: 128 },
  ingressBooks: { share: 0.06, maxMebibytes: 30 },
  /** All lookups of one service. */
  queryLookups: { share: 0.1, maxMebibytes: 100 },
  ingressLookups: { share: 0.1, maxMebibytes: 100 },
  requestLog: { share: 0.02, maxMebibytes: 8 },
} as const satisfies { readonly [name: string]: HeapShare };

export type HeapShareName = keyof typeof heapShares;

export function heapShareBytes(name: HeapShareName, heapLimitBytes = getHeapStatistics().heap_size_limit): number {
  const { share, maxMebibytes = Number.POSITIVE_INFINITY }: HeapShare = heapShares[name];
  return Math.floor(Math.min(heapLimitBytes * share, maxMebibytes * bytesPerMebibyte));
}
