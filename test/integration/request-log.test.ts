/** The request log: every answered request of a Tenancy can be found again, without its body. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { generateKey, parseSigner } from '#libs/auth/signer.ts';
import { untimed } from '#libs/database/database.ts';
import { readKeyUsage } from '#libs/database/key-usage.ts';
import { openDatabase } from '#libs/database/pool.ts';
import {
  deleteExpiredRequests,
  insertRequests,
  type RequestLogEntry,
  readRequests,
} from '#libs/database/request-log.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { RequestLog } from '#libs/http/request-log.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { newUuid, uuidTimeMs } from '#libs/runtime/uuid.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let environment: TestEnvironment;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  environment = testEnvironment();
  [tenant, other] = await Promise.all([Tenant.open(environment), Tenant.open(environment)]);
});
afterAll(async () => {
  await Promise.all([tenant.close(), other.close()]);
});

interface Logged {
  readonly request_id: string;
  readonly caller_request_id?: string;
  readonly status: number;
}

async function search(query: string, of = tenant): Promise<Logged[]> {
  return (await of.get(`/requests${query}`)).body.requests;
}

/** The request with this identifier of the caller, once it has been written. */
async function found(callerRequestId: string, of = tenant): Promise<Logged> {
  const query = `?caller_request_id=${callerRequestId}`;
  await eventually(async () => (await search(query, of)).length > 0);
  return (await search(query, of))[0] as Logged;
}

function named(callerRequestId: string): { readonly headers: { readonly 'request-id': string } } {
  return { headers: { 'request-id': callerRequestId } };
}

describe('a Tenancy finds by its own identifier', () => {
  test('a read, with the key, the route, the status and the duration', async () => {
    const { headers } = await tenant.get('/bounds', named('read-1'));

    expect(await found('read-1')).toEqual({
      request_id: headers['request-id'],
      caller_request_id: 'read-1',
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      duration_us: expect.any(Number),
      fp: tenant.signer.fp,
      method: 'GET',
      route: 'readBounds',
      status: 200,
      target: `/v1/tenants/${tenant.id}/bounds`,
      contract_version: headers['contract-version'],
      timing: { queue_us: 0, conn_us: 0, db_us: 0, derive_us: 0, submit_us: 0 },
    });
  });

  test('a refused write, with its refusal code and without its body', async () => {
    await tenant.post('/receipts', { reference: 'secret-word' }, named('refused-1'));

    const logged = await found('refused-1');
    expect(logged).toMatchObject({ method: 'POST', route: 'reportReceipt', status: 422, code: 'missing_field' });
    expect(logged).toMatchObject({ field: '/client_id' });
    expect(JSON.stringify(logged)).not.toContain('secret-word');
  });

  test('a request to a path without a route', async () => {
    await tenant.get('/nothing-here', named('no-route-1'));

    expect(await found('no-route-1')).not.toHaveProperty('route');
    expect(await found('no-route-1')).toMatchObject({ status: 404, code: 'no_route' });
  });

  test('a request that named the Tenancy of another lender', async () => {
    await other.get('/bounds', { ...named('foreign-1'), signer: tenant.signer });

    expect(await found('foreign-1')).toMatchObject({ status: 403, code: 'not_permitted_tenant' });
    expect(await search('?caller_request_id=foreign-1', other)).toEqual([]);
  });
});

test('a request with an unknown key is in no log of a Tenancy', async () => {
  const unknown = parseSigner(generateKey('test').secret);
  await tenant.get('/bounds', { ...named('unknown-1'), ...(unknown === undefined ? {} : { signer: unknown }) });
  await tenant.get('/bounds', named('after-unknown'));
  await found('after-unknown');

  expect(await search('?caller_request_id=unknown-1')).toEqual([]);
});

describe('a search', () => {
  test('combines filters, and answers nothing where one does not match', async () => {
    const { headers } = await tenant.get('/clients/unknown', named('filter-1'));
    await found('filter-1');
    const id = String(headers['request-id']);
    const today = new Date(uuidTimeMs(id)).toISOString().slice(0, 10);
    const ofRequest = `?request_id=${id}&method=GET&target=clients/unknown&status=404&code=not_found&route=readClient`;
    const filters = `${ofRequest}&fp=${tenant.signer.fp}&day=${today}`;

    expect(await search(filters)).toHaveLength(1);
    const wrongFilters = ['status=200', 'code=internal_error', 'route=readLoan', 'fp=none', 'day=2020-01-01'];
    for (const wrong of [...wrongFilters, 'method=PUT', 'target=other']) {
      const [name] = wrong.split('=');
      const altered = filters.replace(new RegExp(`${name}=[^&]*`), wrong);
      expect([wrong, await search(altered)]).toEqual([wrong, []]);
    }
  });

  test('is possible by any filters one after the other on one connection', async () => {
    const all = {
      ...{ request_id: newUuid(), caller_request_id: 'none', fp: 'none', method: 'GET' },
      ...{ route: 'none', status: 200, code: 'none', target: 'none' },
    };
    const { target: _, ...sevenOfThem } = all;
    const database = openDatabase({ url: environment.stack.servicesDatabaseUrl, name: 'filters', connections: 1 });
    try {
      for (const filters of [all, sevenOfThem, all])
        expect(await readRequests(database, untimed, { tenantId: tenant.id, filters, limit: 1 })).toEqual({
          requests: [],
        });
    } finally {
      await database.end();
    }
  });

  test('pages from the newest request to the oldest without a gap', async () => {
    const ids = ['page-1', 'page-2', 'page-3', 'page-4', 'page-5'];
    const lender = await Tenant.open(environment);
    for (const id of ids) await lender.get('/company-profile', named(id));
    await found('page-5', lender);

    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await lender.get(`/requests?route=readCompanyProfile&limit=2${cursor}`);
      seen.push(...body.requests.map((request: Logged) => request.caller_request_id));
      cursor = body.cursor === undefined ? '' : `&cursor=${body.cursor}`;
    } while (cursor !== '');
    await lender.close();

    expect(seen).toEqual(ids.toReversed());
  });

  test('for a day before the first one is answered without requests', async () => {
    for (const day of ['1900-01-01', '1969-12-31', '1970-01-01']) expect(await search(`?day=${day}`)).toEqual([]);
  });

  test.each(['request_id=7', 'status=99', 'day=yesterday', 'caller_request_id='])(
    'with %s is refused',
    async (query) => {
      expect(await tenant.get(`/requests?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    },
  );
});

describe('the table', () => {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await createScratchDatabase('request_log');
  });
  afterAll(() => scratch.drop());

  test('keeps requests and their counts for thirty days', async () => {
    const entries = [1, 29, 31].map((ageDays) => ({ ...entryOf('f', ageDays * 24), duration_us: ageDays }));
    await insertRequests(scratch.database, entries);

    await deleteExpiredRequests(scratch.database);

    const { rows } = await scratch.owner.query('SELECT duration_us FROM operations.request_log ORDER BY 1');
    expect(rows).toEqual([{ duration_us: 1 }, { duration_us: 29 }]);
    const { rows: counts } = await scratch.owner.query(
      "SELECT requests::integer FROM operations.key_usage WHERE fp = 'f'",
    );
    expect(counts).toEqual([{ requests: 1 }, { requests: 1 }]);
  });

  test('counts the requests of each key, however many others are logged, from several instances at once', async () => {
    const rarely = [entryOf('rare', 2), entryOf('rare', 30)];
    await insertRequests(scratch.database, rarely);
    const batch = (): RequestLogEntry[] => Array.from({ length: 200 }, (_, index) => entryOf(`busy-${index % 5}`, 0));
    await Promise.all(Array.from({ length: 60 }, () => insertRequests(scratch.database, batch())));
    // Sent again, because the answer of Postgres was lost.
    await insertRequests(scratch.database, rarely);

    const usage = await readKeyUsage(scratch.database, 'lender', ['rare', 'busy-0', 'busy-4', 'unused']);
    expect(usage.get('rare')).toEqual({ lastUsedAt: rarely[0]?.received_at, lastDay: 1 });
    expect(usage.get('busy-0')?.lastDay).toBe(2_400);
    expect(usage.get('busy-4')?.lastDay).toBe(2_400);
    expect(usage.has('unused')).toBe(false);
    expect(await readKeyUsage(scratch.database, 'another lender', ['rare'])).toEqual(new Map());
  });

  test('that is away for a moment gets the requests later, and what is left at the end is counted as lost', async () => {
    const registry = new Registry();
    const log = new RequestLog({ database: scratch.database, logger: silentLogger, registry });
    const lost = async (): Promise<unknown> =>
      (await registry.getSingleMetric('lending_request_log_lost_total')?.get())?.values[0]?.value;
    const away = () => scratch.owner.query('ALTER TABLE operations.request_log RENAME TO away');
    const back = () => scratch.owner.query('ALTER TABLE operations.away RENAME TO request_log');
    await away();
    log.record(answeredRequest());
    await log.write();
    await back();
    log.record(answeredRequest());
    await log.write();
    const { rows } = await scratch.owner.query("SELECT status FROM operations.request_log WHERE method = 'PUT'");
    expect(rows).toEqual([{ status: 201 }, { status: 201 }]);
    expect(await lost()).toBe(0);

    log.record(answeredRequest());
    await away();
    await log.close();
    await back();
    expect(await lost()).toBe(1);
  });

  test('gets every request of a batch, whatever a caller sent, but the one that Postgres cannot store', async () => {
    const registry = new Registry();
    const log = new RequestLog({ database: scratch.database, logger: silentLogger, registry });
    const texts = ['/na\0me', '/half\ud83d', `/${'x'.repeat(98)}\u{1f600}`, '/plain'];
    for (const field of texts) log.record(answeredRequest({ method: 'PATCH', target: field, field }));
    log.record(answeredRequest({ method: 'PATCH', target: '/', status: 100_000 }));
    log.record(answeredRequest({ method: 'PATCH', target: '/after' }));
    await log.close();

    const { rows } = await scratch.owner.query(
      `SELECT target, field FROM operations.request_log WHERE method = 'PATCH' ORDER BY target COLLATE "C"`,
    );
    expect(rows).toEqual([
      { target: '/after', field: null },
      { target: '/half\ufffd', field: '/half\ufffd' },
      { target: '/na\ufffdme', field: '/na\ufffdme' },
      { target: '/plain', field: '/plain' },
      { target: texts[2], field: `/${'x'.repeat(98)}\ufffd` },
    ]);
    expect((await registry.getSingleMetric('lending_request_log_lost_total')?.get())?.values[0]?.value).toBe(1);
  });
});

function entryOf(fp: string, ageHours: number): RequestLogEntry {
  const hourUs = 3_600_000_000;
  return {
    tenant_id: 'lender',
    request_id: newUuid(),
    received_at: (Date.now() * 1_000 - ageHours * hourUs) as RequestLogEntry['received_at'],
    duration_us: 1,
    caller_request_id: null,
    fp,
    method: 'GET',
    route: null,
    status: 200,
    code: null,
    target: null,
    contract_version: null,
    field: null,
    queue_us: null,
    conn_us: null,
    db_us: null,
    derive_us: null,
    submit_us: null,
  };
}

interface AnswerFields {
  readonly method?: string;
  readonly target?: string;
  readonly field?: string;
  readonly status?: number;
}

function answeredRequest({
  method = 'PUT',
  target = '/',
  status = 201,
  ...refused
}: AnswerFields = {}): AnsweredRequest {
  const timing = { total: () => 1, queue: 0, conn: 0, db: 0, derive: 0, submit: 0 };
  const context = { requestId: newUuid(), receivedAt: Date.now(), timing, method, target, version: '1' };
  const caller = { key: { fp: 'f', tenancy: { id: 'lender' } } };
  return { context: { ...context, caller } as never, status, code: undefined, ...refused };
}
