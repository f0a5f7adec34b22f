import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { openLocations } from './locations.ts';

/** A pool that has no connection for a while, and answers at once. */
function busyPool(forMs: number): { database: Database; asked: () => number } {
  let asked = 0;
  const query = async () => {
    asked += 1;
    return { rows: [{ client_id: 'c-1' }] };
  };
  const connect = async () => {
    await pause(forMs);
    return { query, release: () => undefined };
  };
  return { database: { connect, query } as unknown as Database, asked: () => asked };
}

test('waiting for a connection is told apart from waiting for the answer, and what is remembered waits for neither', async () => {
  const { database, asked } = busyPool(30);
  const locations = openLocations(database);
  const parts: string[] = [];
  const watch = {
    measure: async <T>(part: 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T> => {
      parts.push(part);
      return work();
    },
  };
  expect(await locations.loanClient.of('acme', 'loan', watch)).toBe('c-1');
  expect(parts).toEqual(['conn', 'db']);
  expect(await locations.loanClient.of('acme', 'loan', watch)).toBe('c-1');
  expect([parts.length, asked()]).toEqual([2, 1]);
});
