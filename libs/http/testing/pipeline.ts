import type { Signer } from '#libs/auth/sign.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { Passage } from '#libs/http/request-pipeline.ts';
import { addKey, type Got, type Sent, type Served, send, serve, twoTenancies } from '#libs/http/testing/server.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** A door with a handler or two of every kind behind it, and a key of every kind before it. */
export interface House {
  readonly served: Served;
  readonly writer: Signer;
  readonly reader: Signer;
  /** On the live Tenancy. */
  readonly agent: Signer;
  /** Of a key the door never heard of. */
  readonly stranger: Signer;
  readonly seen: readonly Passage[];
  /** What the clock stands at; undefined lets it run. */
  setClock(nowMs: number | undefined): void;
  ask(sent: Sent): Promise<Got>;
  /** A signed receipt as it should be, but for what is said. */
  posting(more?: Partial<Sent>): Sent;
  post(more?: Partial<Sent>): Promise<Got>;
}

const handlers: RouteHandlers = {
  readLoan: ({ params }) => ({ status: 200, body: { id: params['loan_id'] } }),
  previewLoan: () => ({ status: 200, body: {} }),
  listLoans: ({ query }) => ({ status: 200, body: query }),
  reportReceipt: ({ body, evidence, requestId, callerRequestId, tenancy }) => ({
    status: 201,
    body: { body, requestId, callerRequestId, tenancy: tenancy.id, bytes: evidence.body.length, fp: evidence.fp },
  }),
  reportReceipts: ({ body }) => ({ status: 200, body: { count: body.receipts.length } }),
  readReceipt: ({ params }) => ({ status: 200, body: params }),
  writeOffLoan: () => refuse('already_written_off', { recorded_id: 'w-1' }),
  createConfiguration: ({ idempotencyKey }) => {
    if (idempotencyKey === 'break') throw new Error('the password is hunter2');
    return { status: 201, body: { idempotencyKey: idempotencyKey ?? null } };
  },
  previewConfiguration: () => {
    throw new Error('the password is hunter2');
  },
  registerClient: ({ params }) => ({ status: 201, body: params }),
  readClient: ({ params }) => ({ status: 200, body: params }),
  pointLookupKey: ({ params }) => ({ status: 201, body: params }),
  readLookupKey: ({ params }) => ({ status: 200, body: params }),
  putCompanyProfile: ({ body }) => ({ status: 200, body }),
  readCompanyProfile: () => {
    throw new DependencyUnavailableError('profile');
  },
  readPaymentOptions: ({ timing, header }) => {
    timing.derive += 3.25;
    const headers = { ETag: '"tag"' };
    return header('If-None-Match') === '"tag"'
      ? { status: 304, headers }
      : { status: 200, headers, body: { loans: [] } };
  },
  readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
  readOpenApi: () => ({ status: 200, text: '{"openapi":"3.1.0"}' }),
};

export const json = ['Content-Type: application/json'];
export const loan = '/v1/tenants/acme/loans/0192f0c1-2345-7abc-8def-0123456789ab';
export const receipt = JSON.stringify({
  reference: 'r-1',
  client_id: 'c-1',
  amount: { minor_units: 100, currency: 'MXN' },
  value_date: '2026-11-05',
});

export async function openHouse(): Promise<House> {
  const seen: Passage[] = [];
  const ring = twoTenancies();
  let stands: number | undefined;
  const observe = (passage: Passage): number => seen.push(passage);
  const served = await serve({ handlers, observe, now: () => stands ?? Date.now() }, ring);
  const writer = addKey(ring);
  const target = '/v1/tenants/acme/receipts';
  const ask = (sent: Sent): Promise<Got> => send(served.port, sent);
  const posting = (more: Partial<Sent> = {}): Sent => ({
    method: 'POST',
    target,
    headers: json,
    body: receipt,
    signer: writer,
    ...more,
  });
  return {
    served,
    writer,
    reader: addKey(ring, { scope: 'read' }),
    agent: addKey(ring, { tenantId: 'vivid', holder: 'agent' }),
    stranger: addKey(twoTenancies()),
    seen,
    setClock(nowMs) {
      stands = nowMs;
    },
    ask,
    posting,
    post: (more) => ask(posting(more)),
  };
}
