/** What was done to persons is submitted to the log by every console of the cell; the running one is one of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, query } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { recordLater } from '#libs/people/unrecorded-acts.ts';
import { recordOldest } from '#services/console/record-acts.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';

const acts = 60;

let tenant: Tenant;
let database: Database;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  database = openDatabase({ url: testEnvironment().stack.servicesDatabaseUrl, name: 'person-acts' });
});
afterAll(() => Promise.all([tenant.close(), database.end()]));

test('several consoles record each act once', async () => {
  const act = { actor: 'ana', origin: { channel: 'command_line' }, action: 'invited' } as const;
  for (let at = 0; at < acts; at += 1) await recordLater(database, { ...act, subject: `act-${at}` }, tenant.id);
  const { administration } = tenant;
  const recordAll = async (): Promise<void> => {
    while (await recordOldest({ database, administration }));
  };
  const isWaiting = 'SELECT FROM console.unrecorded_acts WHERE tenant_id = $1 LIMIT 1';
  await eventually(async () => {
    await Promise.all([recordAll(), recordAll(), recordAll()]);
    return (await query(database, 'waiting_acts', isWaiting, [tenant.id])).length === 0;
  });
  const text = `SELECT body::json ->> 'subject' AS subject, count(*) FROM facts
    WHERE tenant_id = $1 AND kind = 'person_act' GROUP BY subject ORDER BY count(*) DESC`;
  const recorded = await query<{ count: number }>(database, 'recorded_acts', text, [tenant.id]);
  expect(recorded.map(({ count }) => count)).toEqual(Array.from({ length: acts }, () => 1));
});
