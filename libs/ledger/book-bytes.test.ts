import { describe, expect, test } from '@jest/globals';
import { emptyBookBytes, estimatedBookBytes, factBytes, snapshotBytes } from '#libs/ledger/book-bytes.ts';
import { decider, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { heapGrowth } from '#libs/runtime/testing/heap-growth.ts';
import type { JsonObject } from '#libs/schema/json.ts';

interface Shape {
  readonly books: number;
  readonly loans: number;
  readonly receipts: number;
  readonly context?: JsonObject;
}

const shapes: readonly (readonly [name: string, shape: Shape])[] = [
  ['books with one Loan', { books: 200, loans: 1, receipts: 0 }],
  ['books with three Loans and their Receipts', { books: 50, loans: 3, receipts: 36 }],
  ['a long book', { books: 2, loans: 1, receipts: 800 }],
  ['a book with hundreds of Loans', { books: 1, loans: 300, receipts: 0 }],
  ['Receipts with long contexts', { books: 1, loans: 1, receipts: 200, context: { note: 'x'.repeat(16_000) } }],
  [
    'Receipts with contexts of empty objects',
    { books: 1, loans: 1, receipts: 200, context: { items: Array.from({ length: 5_000 }, () => ({})) } },
  ],
];

/** The client, and the estimate by its facts. */
function build({ loans, receipts, context }: Shape) {
  const client = new TestClientBook();
  let bytes = emptyBookBytes;
  let bodyBytes = 0;
  // Processors drop the text of a fact after the commit.
  const weighFacts = () => {
    for (const fact of client.stored.splice(0)) {
      bytes += factBytes(fact);
      bodyBytes += Buffer.byteLength(fact.body) * (fact.kind === 'receipt_reported' ? 1 : 4);
    }
  };
  client.register();
  for (let loan = 0; loan < loans; loan += 1) client.issue(`loan-${loan}`);
  weighFacts();
  for (let nth = 0; nth < receipts; nth += 1) {
    const body = {
      reference: `r-${nth}`,
      client_id: 'c-1',
      amount: money(100),
      value_date: '2025-02-15',
      rail: 'transfer',
    };
    client.submit('reportReceipt', JSON.parse(JSON.stringify({ ...body, ...(context && { context }) })) as JsonObject);
    weighFacts();
  }
  return { book: client.book, bytes, bodyBytes };
}

describe('the estimate of a book is near what it takes', () => {
  test.each(shapes)('%s', (_name, shape) => {
    build(shape);
    let estimated = 0;
    const books: ReturnType<typeof build>['book'][] = [];
    const grown = heapGrowth(() => {
      for (let nth = 0; nth < shape.books; nth += 1) {
        const { book, bytes } = build(shape);
        books.push(book);
        estimated += bytes;
      }
      return books;
    });
    expect(estimated / grown).toBeGreaterThan(0.7);
    expect(estimated / grown).toBeLessThan(2);
  });

  test.each(shapes)('%s, read from their snapshots', (_name, shape) => {
    const snapshots = Array.from({ length: shape.books }, () => runToEnd(decider.encode(build(shape).book)));
    const factCount = 1 + shape.loans + shape.receipts;
    const estimated = snapshots.reduce((sum, snapshot) => sum + snapshotBytes(snapshot, factCount), 0);
    const grown = heapGrowth(() =>
      snapshots.map((snapshot) => runToEnd(decider.decode(Buffer.from(snapshot).toString()))),
    );
    expect(estimated / grown).toBeGreaterThan(0.9);
  });

  test.each(shapes)('%s, before it is loaded', (_name, shape) => {
    const { book, bodyBytes } = build(shape);
    const snapshots = Array.from({ length: shape.books }, () => runToEnd(decider.encode(book)));
    const factCount = 1 + shape.loans + shape.receipts;
    const grown = heapGrowth(() =>
      snapshots.map((snapshot) => runToEnd(decider.decode(Buffer.from(snapshot).toString()))),
    );
    expect((estimatedBookBytes(bodyBytes, factCount) * shape.books) / grown).toBeGreaterThan(0.6);
  });
});
