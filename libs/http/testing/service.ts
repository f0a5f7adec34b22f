import type { Signer } from '#libs/auth/signer.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import {
  addKey,
  keyRingOfTwoTenancies,
  send,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** A server with handlers of every kind and a key of every kind. */
export interface TestService {
  readonly server: TestServer;
  readonly writer: Signer;
  readonly reader: Signer;
  /** On the live Tenancy. */
  readonly agent: Signer;
  /** Its key is not registered. */
  readonly unknownKey: Signer;
  readonly observations: readonly AnsweredRequest[];
  /** Stops the clock at a time; undefined lets it run. */
  setClock(nowMs: number | undefined): void;
  send(request: TestRequest): Promise<TestResponse>;
  /** A valid signed receipt, except for the overrides. */
  receiptRequest(overrides?: Partial<TestRequest>): TestRequest;
  postReceipt(overrides?: Partial<TestRequest>): Promise<TestResponse>;
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
  writeOffLoan: () => refuse('already_written_off', { bound: ['active'], observed: 'written_off' }),
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

export async function startTestService(): Promise<TestService> {
  const observations: AnsweredRequest[] = [];
  const keyRing = keyRingOfTwoTenancies();
  let frozenAtMs: number | undefined;
  const observe = (answered: AnsweredRequest): number => observations.push(answered);
  const server = await startTestServer({ handlers, observe, now: () => frozenAtMs ?? Date.now() }, keyRing);
  const writer = addKey(keyRing);
  const target = '/v1/tenants/acme/receipts';
  const sendRequest = (request: TestRequest): Promise<TestResponse> => send(server.port, request);
  const receiptRequest = (overrides: Partial<TestRequest> = {}): TestRequest => ({
    method: 'POST',
    target,
    headers: json,
    body: receipt,
    signer: writer,
    ...overrides,
  });
  return {
    server: server,
    writer,
    reader: addKey(keyRing, { scope: 'read' }),
    agent: addKey(keyRing, { tenantId: 'vivid', holder: 'agent' }),
    unknownKey: addKey(keyRingOfTwoTenancies()),
    observations: observations,
    setClock(nowMs) {
      frozenAtMs = nowMs;
    },
    send: sendRequest,
    receiptRequest: receiptRequest,
    postReceipt: (overrides) => sendRequest(receiptRequest(overrides)),
  };
}
