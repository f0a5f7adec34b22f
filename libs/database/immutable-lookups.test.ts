import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { createLookups } from './immutable-lookups.ts';
import { PartitionDatabases } from './partition-databases.ts';

/** A pool that has no free connection for a while and counts the queries. */
function busyPool(busyMs: number): { database: Database; queryCount: () => number } {
  let queries = 0;
  const query = async () => {
    queries += 1;
    return { rows: [{ client_id: 'c-1' }] };
  };
  const connect = async () => {
    await pause(busyMs);
    return { query, release: () => undefined };
  };
  return { database: { connect, query } as unknown as Database, queryCount: () => queries };
}

/** Every Loan belongs to a Client with the same long id. */
function countedPool(clientId: string): { database: Database; queryCount: () => number } {
  let queries = 0;
  const query = async () => {
    queries += 1;
    return { rows: [{ client_id: clientId }] };
  };
  return { database: { query } as unknown as Database, queryCount: () => queries };
}

test('all lookups together keep bounded bytes, and drop first what was used longest ago', async () => {
  const { database, queryCount } = countedPool('c'.repeat(100_000));
  const { clientOfLoan } = createLookups(PartitionDatabases.of(database), 250_000);
  for (const loan of ['one', 'two', 'one', 'three', 'one']) await clientOfLoan.find('acme', loan);
  expect(queryCount()).toBe(3);
  await clientOfLoan.find('acme', 'two');
  expect(queryCount()).toBe(4);
});

test('a lookup measures the waits for a connection and for the answer apart, and a cached one waits for neither', async () => {
  const { database, queryCount } = busyPool(30);
  const lookups = createLookups(PartitionDatabases.of(database), 1_000_000);
  const stages: string[] = [];
  const timer = {
    measure: async <T>(stage: 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T> => {
      stages.push(stage);
      return work();
    },
  };
  expect(await lookups.clientOfLoan.find('acme', 'loan', timer)).toBe('c-1');
  expect(stages).toEqual(['conn', 'db']);
  expect(await lookups.clientOfLoan.find('acme', 'loan', timer)).toBe('c-1');
  expect([stages.length, queryCount()]).toEqual([2, 1]);
});
