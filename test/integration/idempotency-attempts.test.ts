/** Attempts at one request that overlap: one that is given up says nothing of the others. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { type Attempt, beginAttempt, dropAttempt, type Held, recordOutcome } from '#libs/database/idempotency.ts';
import { newReference } from './desk.ts';
import { house } from './tenant.ts';

let database: Database;
beforeAll(() => {
  database = openDatabase({ url: house().stack.databaseUrl, name: 'attempts' });
});
afterAll(() => database.end());

/** Two requests under one key. */
function twoRequests() {
  const key = newReference('key');
  const under = () => ({ tenantId: 'attempts', key, request: randomBytes(32) });
  return { one: under(), other: under() };
}

type Requests = ReturnType<typeof twoRequests>;

function begun(began: Attempt | Held): Attempt {
  if ('request' in began) throw new Error('the key is held');
  return began;
}

async function begin({ one }: Requests): Promise<Attempt> {
  return begun(await beginAttempt(database, one));
}

async function isHeld({ one, other }: Requests): Promise<boolean> {
  const began = await beginAttempt(database, other);
  return 'request' in began && began.request.equals(one.request);
}

describe('an attempt that is given up', () => {
  test('leaves the key free to another request', async () => {
    const requests = twoRequests();
    await dropAttempt(database, requests.one, await begin(requests));
    expect(await isHeld(requests)).toBe(false);
  });

  test('leaves it to the others at the same request that are under way, whoever began first', async () => {
    for (const givenUp of [0, 1, 2]) {
      const requests = twoRequests();
      const attempts = [await begin(requests), await begin(requests), await begin(requests)];
      await dropAttempt(database, requests.one, attempts[givenUp] as Attempt);
      expect(await isHeld(requests)).toBe(true);
      await begin(requests);
    }
  });

  test('takes nothing from what came of another', async () => {
    const requests = twoRequests();
    const [first, second] = [await begin(requests), await begin(requests)];
    expect(await recordOutcome(database, requests.one, 'done')).toBeUndefined();
    for (const attempt of [first, second]) await dropAttempt(database, requests.one, attempt);
    expect(await beginAttempt(database, requests.one)).toMatchObject({ outcome: 'done' });
    expect(await isHeld(requests)).toBe(true);
  });
});
