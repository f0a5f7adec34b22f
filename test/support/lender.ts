/** A lender in a Tenancy of its own: creates products, Clients and Loans, records acts and Receipts, and checks refusals. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import { catalogue, type RefusalCode } from '#libs/schema/refusals.ts';
import { attributed, loanBody, type ProductVersion, registerClient } from './request-bodies.ts';
import { Tenant, type TestEnvironment, type TestResponse } from './tenant.ts';

export type Archetype = keyof typeof minimalValues;

export function pesos(minorUnits: number): { minor_units: number; currency: string } {
  return { minor_units: minorUnits, currency: 'MXN' };
}

/** Product values under which every act is admitted by at least one archetype. */
export const productValues = {
  instalment: { rate_min: '0', rate_max: '60', terms: [1, 3, 6, 12], withdrawal_days: 14 },
  bnpl: { rate_max: '0', terms: [4], down_payment_max_bps: 5_000 },
  payday: { rate_min: '0', rate_max: '60', max_rollovers: 1 },
} as const;

let referenceCount = 0;

export function uniqueReference(kind: string): string {
  referenceCount += 1;
  return `${kind}-${referenceCount}-${randomUUID().slice(0, 8)}`;
}

export class Lender {
  readonly tenant: Tenant;
  readonly #defaultProducts = new Map<Archetype, ProductVersion>();

  private constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  static async open(
    environment: TestEnvironment,
    over: { id?: string; jurisdiction?: string; name?: string } = {},
  ): Promise<Lender> {
    return new Lender(await Tenant.open(environment, undefined, over));
  }

  close(): Promise<void> {
    return this.tenant.close();
  }

  async createProduct(archetype: Archetype, values: object = {}): Promise<ProductVersion> {
    const body = { archetype, values: { ...minimalValues[archetype], ...productValues[archetype], ...values } };
    const { id, version } = requireStatus(await this.tenant.post('/product-configurations', body), 201).body;
    return { id, version };
  }

  async createVersion(id: string, archetype: Archetype, values: object = {}): Promise<ProductVersion> {
    const body = { values: { ...minimalValues[archetype], ...productValues[archetype], ...values } };
    const response = await this.tenant.post(`/product-configurations/${id}/versions`, body);
    return { id, version: requireStatus(response, 201).body.version };
  }

  /** The product of Loans that name no other. */
  async defaultProduct(archetype: Archetype = 'instalment'): Promise<ProductVersion> {
    const existing = this.#defaultProducts.get(archetype);
    if (existing !== undefined) return existing;
    const product = await this.createProduct(archetype);
    this.#defaultProducts.set(archetype, product);
    return product;
  }

  async client(): Promise<string> {
    const id = uniqueReference('c');
    requireStatus(await registerClient(this.tenant, id), 201);
    return id;
  }

  /** The body that issues a Loan of 10,000 over a year at 36 %, anchored on 15 January 2026. */
  async loanTerms(clientId: string, over: object = {}, product?: ProductVersion): Promise<Record<string, unknown>> {
    return { ...loanBody(product ?? (await this.defaultProduct()), clientId, uniqueReference('loan'), over) };
  }

  async loan(clientId: string, over: object = {}, product?: ProductVersion) {
    return requireStatus(await this.tenant.post('/loans', await this.loanTerms(clientId, over, product)), 201).body;
  }

  async payday(clientId: string, over: object = {}, product?: ProductVersion) {
    return this.loan(clientId, { term_periods: 1, ...over }, product ?? (await this.defaultProduct('payday')));
  }

  async bnpl(clientId: string, over: object = {}, product?: ProductVersion) {
    const terms = { term_periods: 4, rate: '0', tax: { rate: '16', on: [] }, ...over };
    return this.loan(clientId, terms, product ?? (await this.defaultProduct('bnpl')));
  }

  sendAct(loanId: string, segment: string, body: object): Promise<TestResponse> {
    return this.tenant.post(`/loans/${loanId}/${segment}`, body);
  }

  /** A new Loan on which this act was recorded. */
  async loanAfterAct(clientId: string, segment: string, body: object, over: object = {}) {
    const { id } = await this.loan(clientId, over);
    return this.act(id, segment, body);
  }

  /** A new Loan that is suspended for the whole of March. */
  suspendedLoan(clientId: string) {
    return this.loanAfterAct(clientId, 'suspension', { on: '2026-03-01', to: '2026-03-31' });
  }

  /** Records an act that must be admitted; returns the Loan. */
  async act(loanId: string, segment: string, body: object) {
    return requireStatus(await this.sendAct(loanId, segment, attributed(body)), 201).body;
  }

  async pay(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
    return requireStatus(await this.tenant.post('/receipts', receiptBody(clientId, minorUnits, valueDate, over)), 201)
      .body;
  }

  reverse(receipt: string, over: object = {}): Promise<TestResponse> {
    const body = attributed({ reason: 'returned_by_bank', ...over });
    return this.tenant.post(`/receipts/${encodeURIComponent(receipt)}/reversal`, body);
  }
}

export function receiptBody(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
  const reference = uniqueReference('receipt');
  return { reference, client_id: clientId, amount: pesos(minorUnits), value_date: valueDate, ...over };
}

export function requireStatus(response: TestResponse, status: number): TestResponse {
  if (response.status === status) return response;
  throw new Error(`expected status ${status}, got ${response.status}: ${JSON.stringify(response.body)}`);
}

/** Expects a refusal with this code in the common envelope, naming the request's own id. */
export function expectRefusal(response: TestResponse, status: number, code: RefusalCode, details?: object): void {
  expect(`${response.status} ${response.body?.code}`).toBe(`${status} ${code}`);
  expect(response.body).toMatchObject({ error: expect.any(String), retry: catalogue[code].retry });
  expect(response.body.request_id).toBe(response.headers['request-id']);
  if (details !== undefined) expect(response.body.details).toMatchObject(details);
}

/** The last fact of a kind among a Loan's events. */
export function lastEventOfKind(loan: { events: { id: string; kind: string }[] }, kind: string) {
  const found = loan.events.findLast((event) => event.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${loan.events.map((event) => event.kind).join(', ')}`);
  return found;
}
