/** Pages over many Clients when the book of one of them cannot be derived from its recorded facts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isReady, openToolRedis } from '#libs/redis/redis.ts';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let environment: TestEnvironment;
let opened: OpenedDatabases;
let redis: Redis;
beforeAll(async () => {
  environment = testEnvironment();
  opened = await openTestDatabases(environment, { name: 'damaged book', as: 'owner' });
  redis = openToolRedis(environment.stack.redisUrl, 'damaged-book');
  await eventually(() => isReady(redis));
});
afterAll(async () => {
  redis.disconnect();
  await opened.close();
});

/** A Client whose book is not in the memory of the service, because it was never read. */
async function newClient(lender: OneProductLender) {
  const client = await lender.client();
  const loan = await lender.loan(client, { merchant_ref: 'shop' });
  await lender.pay(client, 1_000, '2026-02-01');
  return { client, loan };
}

type Restore = () => Promise<void>;

/** Deletes one fact and the snapshots made from it. Returns a function that restores the fact. */
function deleteFact(lender: OneProductLender, client: string, sequence: number): Promise<Restore> {
  return deleteRows(lender, client, `facts r WHERE sequence = ${sequence} AND`);
}

async function deleteRows(lender: OneProductLender, client: string, rows: string): Promise<Restore> {
  const [tenantId, bookId] = [lender.tenant.id, clientBookId(client)];
  const key = snapshotKey(tenantId, bookId);
  // Wait for the snapshot that the processor writes after its commit.
  await eventually(async () => Number(await redis.hget(key, 's')) === 3);
  await redis.del(key);
  const owner = opened.databases.ofBook({ tenantId, bookId });
  await owner.query('DELETE FROM snapshots WHERE tenant_id = $1 AND book_id = $2', [tenantId, bookId]);
  const deleted = await owner.query(
    `DELETE FROM ${rows} tenant_id = $1 AND book_id = $2 RETURNING row_to_json(r)::text AS row`,
    [tenantId, bookId],
  );
  const [table] = rows.split(' ');
  return async () => {
    await owner.query(`INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`, [
      deleted.rows[0].row,
    ]);
  };
}

const on = '2026-03-20';
const anomalies = [{ kind: 'book_not_derivable', facts: [], detail: expect.any(String) }];

function rehearsal(lender: OneProductLender, body: object = {}) {
  const values = { ...instalmentProduct.values, origination_fee: { minor_units: 10_000, currency: 'MXN' } };
  return lender.tenant.post(`/product-configurations/${lender.product.id}/rehearsal`, { on, values, ...body });
}

describe('pages show what is recorded independently of the book, mark the rest as unknown, and are complete for other Clients', () => {
  interface ListingRow {
    readonly id: string;
    readonly reference: string;
    readonly client_id: string;
    readonly [member: string]: unknown;
  }
  type ClientWithLoan = Awaited<ReturnType<typeof newClient>>;
  let lender: OneProductLender;
  let missingReceipt: ClientWithLoan;
  let missingIssuance: ClientWithLoan;
  let derivable: string[];
  let restores: Restore[];
  let rowWithoutIssuance: ListingRow;
  let rowWithIssuance: ListingRow;

  beforeAll(async () => {
    lender = await OneProductLender.open(environment);
    const before = await newClient(lender);
    missingReceipt = await newClient(lender);
    missingIssuance = await newClient(lender);
    const after = await newClient(lender);
    derivable = [after.client, before.client];
    restores = [
      await deleteFact(lender, missingReceipt.client, 3),
      await deleteFact(lender, missingIssuance.client, 2),
    ];
    rowWithoutIssuance = {
      id: missingIssuance.loan.id,
      reference: missingIssuance.loan.terms.reference,
      tenant_id: lender.tenant.id,
      client_id: missingIssuance.client,
      merchant_ref: 'shop',
      configuration: lender.product,
      state: 'active',
      owes: true,
      owed_to: 'tenant',
      anomalies,
    };
    rowWithIssuance = {
      ...rowWithoutIssuance,
      id: missingReceipt.loan.id,
      reference: missingReceipt.loan.terms.reference,
      client_id: missingReceipt.client,
      principal: { minor_units: 1_000_000, currency: 'MXN' },
      term_periods: 12,
      rate: missingReceipt.loan.terms.rate,
      penalty_rate: missingReceipt.loan.terms.penalty_rate,
      fee: { minor_units: 0, currency: 'MXN' },
      anchor: '2026-01-15',
      created_at: missingReceipt.loan.created_at,
      totals: missingReceipt.loan.totals,
    };
  });
  afterAll(() => lender.tenant.close());

  test('in the listing of Loans', async () => {
    for (const limit of [200, 1]) {
      const rows = await readAllPages(lender, '/loans', 'loans', limit);
      expect(rows).toEqual([expect.anything(), rowWithoutIssuance, rowWithIssuance, expect.anything()]);
      expect([rows[0], rows[3]]).toMatchObject(
        derivable.map((client_id) => ({ client_id, paid: { minor_units: 1_000 }, anomalies: [] })),
      );
    }
    expect(await lender.read('/loans?state=closed')).toEqual({ loans: [] });
  });

  test("in a merchant's book", async () => {
    const shop = await lender.read(`/merchants/shop/book?on=${on}`);
    expect(shop.loans).toEqual([expect.anything(), rowWithoutIssuance, rowWithIssuance, expect.anything()]);
    expect([shop.loans[0], shop.loans[3]]).toMatchObject(derivable.map((client_id) => ({ client_id, anomalies: [] })));
    expect(shop.currencies).toMatchObject([{ loans: 2, sold: { minor_units: 2_000_000 } }]);
    const [one, other] = [shop.loans[0], shop.loans[3]].map(({ outstanding }) => outstanding.minor_units);
    expect(shop.currencies[0].outstanding.minor_units).toBe(one + other);
  });

  test('in the dues', async () => {
    const dues = await lender.read(`/dues?on=${on}`);
    expect(dues.clients).toHaveLength(4);
    for (const { client_id, ...row } of dues.clients) {
      if (derivable.includes(client_id)) expect(row).toMatchObject({ loans: [{}], totals: [{}] });
      else expect(row).toEqual({ loans: [], totals: [], anomalies });
    }
    expect(dues.totals).toMatchObject([{ clients: 2 }]);
    expect(await readAllPages(lender, `/dues?on=${on}`, 'clients', 1)).toEqual(dues.clients);
    // It may be that late: an unknown book is not filtered out.
    const late = await lender.read(`/dues?on=${on}&min_days_past_due=400`);
    expect(late.clients).toEqual(dues.clients.filter(({ loans }: { loans: object[] }) => loans.length === 0));
  });

  test('in a rehearsal', async () => {
    const all = requireStatus(await rehearsal(lender), 200).body;
    expect(all.examined).toBe(4);
    const unknown = ({ id, reference, client_id }: ListingRow) => {
      return { loan_id: id, reference, client_id, changes: [], anomalies };
    };
    expect(all.loans).toEqual([
      expect.anything(),
      unknown(rowWithoutIssuance),
      unknown(rowWithIssuance),
      expect.anything(),
    ]);
    expect([all.loans[0], all.loans[3]].map(({ client_id }) => client_id)).toEqual(derivable);
    const { loans: first, cursor } = requireStatus(await rehearsal(lender, { limit: 2 }), 200).body;
    const { loans: second } = requireStatus(await rehearsal(lender, { cursor }), 200).body;
    expect([...first, ...second]).toEqual(all.loans);
  });

  test('while reads of the Client itself fail, until the facts are restored', async () => {
    expect((await lender.tenant.get(`/loans/${missingReceipt.loan.id}`)).status).toBe(500);
    expect((await lender.tenant.get(`/clients/${missingReceipt.client}/payment-options?on=${on}`)).status).toBe(500);
    await Promise.all(restores.map((restore) => restore()));
    const rows = await readAllPages(lender, '/loans', 'loans', 200);
    expect(rows).toMatchObject(Array(4).fill({ paid: { minor_units: 1_000 }, anomalies: [] }));
    expect((await lender.read(`/dues?on=${on}`)).totals).toMatchObject([{ clients: 4 }]);
  });
});

test('a held Loan of such a Client expires as its issuance says', async () => {
  const lender = await OneProductLender.open(environment);
  const client = await lender.client();
  const { id } = await lender.loan(client, { hold_until: '2026-01-25' });
  await lender.pay(client, 1_000, '2026-02-01');
  const restore = await deleteFact(lender, client, 3);
  const row = { id, owes: false, anomalies };
  const held = (query: string) => lender.read(`/loans?${query}`);
  expect((await held('state=held&on=2026-01-25')).loans).toMatchObject([{ ...row, state: 'held' }]);
  expect((await held('state=expired&on=2026-01-26')).loans).toMatchObject([{ ...row, state: 'expired' }]);
  expect((await held('state=expired&on=2026-01-25')).loans).toEqual([]);
  await restore();
  await lender.tenant.close();
});

test('a Loan without any book is listed with what is recorded of it', async () => {
  const lender = await OneProductLender.open(environment);
  const { client, loan } = await newClient(lender);
  const restore = await deleteRows(lender, client, 'books r WHERE');
  const { loans } = await lender.read('/loans');
  expect(loans).toMatchObject([{ id: loan.id, principal: loan.terms.principal, anomalies }]);
  await restore();
  await lender.tenant.close();
});
