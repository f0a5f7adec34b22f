/** A page over many Clients, one of whose books cannot be stood up from what is recorded. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isReady, openRedis } from '#libs/redis/redis.ts';
import { instalment } from '#test/integration/given-loans.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';
import { everyPage, Lender, mustBe } from './lender.ts';

let here: House;
let owner: pg.Client;
let redis: Redis;
beforeAll(async () => {
  here = house();
  owner = new pg.Client({ connectionString: here.stack.databaseUrl });
  await owner.connect();
  redis = openRedis(here.stack.redisUrl, 'damaged-book');
  await eventually(() => isReady(redis));
});
afterAll(async () => {
  redis.disconnect();
  await owner.end();
});

/** Nobody has read it yet: what is read once is kept in memory. */
async function aClient(lender: Lender) {
  const client = await lender.client();
  const loan = await lender.loan(client, { merchant_ref: 'shop' });
  await lender.pay(client, 1_000, '2026-02-01');
  return { client, loan };
}

type Mend = () => Promise<void>;

/** Takes one fact away, and all that was made of it; gives back how to mend it. */
function lose(lender: Lender, client: string, sequence: number): Promise<Mend> {
  return takeAway(lender, client, `facts r WHERE sequence = ${sequence} AND`);
}

async function takeAway(lender: Lender, client: string, rows: string): Promise<Mend> {
  const [tenantId, bookId] = [lender.tenant.id, clientBookId(client)];
  const key = snapshotKey(tenantId, bookId);
  // What the processor writes behind its commits has come.
  await eventually(async () => Number(await redis.hget(key, 's')) === 3);
  await redis.del(key);
  await owner.query('DELETE FROM snapshots WHERE tenant_id = $1 AND book_id = $2', [tenantId, bookId]);
  const lost = await owner.query(
    `DELETE FROM ${rows} tenant_id = $1 AND book_id = $2 RETURNING row_to_json(r)::text AS row`,
    [tenantId, bookId],
  );
  const [table] = rows.split(' ');
  return async () => {
    await owner.query(`INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`, [
      lost.rows[0].row,
    ]);
  };
}

const on = '2026-03-20';
const anomalies = [{ kind: 'book_not_derivable', facts: [], detail: expect.any(String) }];

function rehearsal(lender: Lender, body: object = {}) {
  const values = { ...instalment.values, origination_fee: { minor_units: 10_000, currency: 'MXN' } };
  return lender.tenant.post(`/product-configurations/${lender.product.id}/rehearsal`, { on, values, ...body });
}

test('pages tell of such a Client what is recorded by itself and that the rest is not known, and of everybody else all', async () => {
  const lender = await Lender.open(here);
  const [before, lacking, unissued, after] = [
    await aClient(lender),
    await aClient(lender),
    await aClient(lender),
    await aClient(lender),
  ];
  const sound = [after.client, before.client];
  const mend = [await lose(lender, lacking.client, 3), await lose(lender, unissued.client, 2)];
  const lying = {
    id: unissued.loan.id,
    reference: unissued.loan.terms.reference,
    tenant_id: lender.tenant.id,
    client_id: unissued.client,
    merchant_ref: 'shop',
    configuration: lender.product,
    state: 'active',
    owes: true,
    owed_to: 'tenant',
    anomalies,
  };
  const issued = {
    ...lying,
    id: lacking.loan.id,
    reference: lacking.loan.terms.reference,
    client_id: lacking.client,
    principal: { minor_units: 1_000_000, currency: 'MXN' },
    term_periods: 12,
    rate: lacking.loan.terms.rate,
    penalty_rate: lacking.loan.terms.penalty_rate,
    fee: { minor_units: 0, currency: 'MXN' },
    anchor: '2026-01-15',
    created_at: lacking.loan.created_at,
    totals: lacking.loan.totals,
  };

  for (const limit of [200, 1]) {
    const rows = await everyPage(lender, '/loans', 'loans', limit);
    expect(rows).toEqual([expect.anything(), lying, issued, expect.anything()]);
    expect([rows[0], rows[3]]).toMatchObject(
      sound.map((client_id) => ({ client_id, paid: { minor_units: 1_000 }, anomalies: [] })),
    );
  }
  expect(await lender.read('/loans?state=closed')).toEqual({ loans: [] });

  const shop = await lender.read(`/merchants/shop/book?on=${on}`);
  expect(shop.loans).toEqual([expect.anything(), lying, issued, expect.anything()]);
  expect([shop.loans[0], shop.loans[3]]).toMatchObject(sound.map((client_id) => ({ client_id, anomalies: [] })));
  expect(shop.currencies).toMatchObject([{ loans: 2, sold: { minor_units: 2_000_000 } }]);
  const [one, other] = [shop.loans[0], shop.loans[3]].map(({ outstanding }) => outstanding.minor_units);
  expect(shop.currencies[0].outstanding.minor_units).toBe(one + other);

  const dues = await lender.read(`/dues?on=${on}`);
  expect(dues.clients).toHaveLength(4);
  for (const { client_id, ...told } of dues.clients) {
    if (sound.includes(client_id)) expect(told).toMatchObject({ loans: [{}], totals: [{}] });
    else expect(told).toEqual({ loans: [], totals: [], anomalies });
  }
  expect(dues.totals).toMatchObject([{ clients: 2 }]);
  expect(await everyPage(lender, `/dues?on=${on}`, 'clients', 1)).toEqual(dues.clients);
  // Nobody can tell that it is not so late.
  const late = await lender.read(`/dues?on=${on}&min_days_past_due=400`);
  expect(late.clients).toEqual(dues.clients.filter(({ loans }: { loans: object[] }) => loans.length === 0));

  const all = mustBe(await rehearsal(lender), 200).body;
  expect(all.examined).toBe(4);
  const unknown = ({ id, reference, client_id }: typeof lying) => {
    return { loan_id: id, reference, client_id, changes: [], anomalies };
  };
  expect(all.loans).toEqual([expect.anything(), unknown(lying), unknown(issued), expect.anything()]);
  expect([all.loans[0], all.loans[3]].map(({ client_id }) => client_id)).toEqual(sound);
  const { loans: none, cursor } = mustBe(await rehearsal(lender, { limit: 2 }), 200).body;
  expect([...none, ...mustBe(await rehearsal(lender, { cursor }), 200).body.loans]).toEqual(all.loans);

  // Of one Client nobody can tell anything.
  expect((await lender.tenant.get(`/loans/${lacking.loan.id}`)).status).toBe(500);
  expect((await lender.tenant.get(`/clients/${lacking.client}/payment-options?on=${on}`)).status).toBe(500);
  await Promise.all(mend.map((mended) => mended()));
  const rows = await everyPage(lender, '/loans', 'loans', 200);
  expect(rows).toMatchObject(Array(4).fill({ paid: { minor_units: 1_000 }, anomalies: [] }));
  expect((await lender.read(`/dues?on=${on}`)).totals).toMatchObject([{ clients: 4 }]);
  await lender.tenant.close();
});

test('a held Loan of such a Client runs out as its issuance says', async () => {
  const lender = await Lender.open(here);
  const client = await lender.client();
  const { id } = await lender.loan(client, { hold_until: '2026-01-25' });
  await lender.pay(client, 1_000, '2026-02-01');
  const mend = await lose(lender, client, 3);
  const told = [{ id, owes: false, anomalies }];
  const held = (query: string) => lender.read(`/loans?${query}`);
  expect((await held('state=held&on=2026-01-25')).loans).toMatchObject([{ ...told[0], state: 'held' }]);
  expect((await held('state=expired&on=2026-01-26')).loans).toMatchObject([{ ...told[0], state: 'expired' }]);
  expect((await held('state=expired&on=2026-01-25')).loans).toEqual([]);
  await mend();
  await lender.tenant.close();
});

test('a Loan of which no book says anything is told by itself too', async () => {
  const lender = await Lender.open(here);
  const { client, loan } = await aClient(lender);
  const mend = await takeAway(lender, client, 'books r WHERE');
  const { loans } = await lender.read('/loans');
  expect(loans).toMatchObject([{ id: loan.id, principal: loan.terms.principal, anomalies }]);
  await mend();
  await lender.tenant.close();
});
