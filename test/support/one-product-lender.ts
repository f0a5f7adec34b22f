/** A lender with one instalment product, Clients, Loans and Receipts, for tests of reads. Every write must be admitted. */
import { requireStatus } from './lender.ts';
import { instalmentProduct, loanBody, type ProductVersion, registerClient } from './request-bodies.ts';
import { Tenant, type TestEnvironment } from './tenant.ts';

let idCount = 0;

export class OneProductLender {
  readonly tenant: Tenant;
  readonly product: ProductVersion;

  private constructor(tenant: Tenant, product: ProductVersion) {
    this.tenant = tenant;
    this.product = product;
  }

  static async open(environment: TestEnvironment): Promise<OneProductLender> {
    const tenant = await Tenant.open(environment);
    const created = await tenant.post('/product-configurations', instalmentProduct);
    return new OneProductLender(tenant, { id: requireStatus(created, 201).body.id, version: 1 });
  }

  async client(): Promise<string> {
    const id = `c-${this.#nextId()}`;
    requireStatus(await registerClient(this.tenant, id), 201);
    return id;
  }

  async loan(clientId: string, over: object = {}) {
    const body = loanBody(this.product, clientId, `loan-${this.#nextId()}`, over);
    return requireStatus(await this.tenant.post('/loans', body), 201).body;
  }

  async pay(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
    const receipt = {
      reference: `receipt-${this.#nextId()}`,
      client_id: clientId,
      amount: { minor_units: minorUnits, currency: 'MXN' },
      value_date: valueDate,
      ...over,
    };
    return requireStatus(await this.tenant.post('/receipts', receipt), 201).body;
  }

  async act(loanId: string, segment: string, on: string, over: object = {}) {
    const body = { on, reference: `act-${this.#nextId()}`, actor: 'ana', basis: 'as agreed', ...over };
    return requireStatus(await this.tenant.post(`/loans/${loanId}/${segment}`, body), 201).body;
  }

  async reverse(receipt: string) {
    const body = { reason: 'chargeback', reference: `act-${this.#nextId()}`, actor: 'ana', basis: 'bank statement' };
    return requireStatus(await this.tenant.post(`/receipts/${receipt}/reversal`, body), 201).body;
  }

  async read(path: string) {
    return requireStatus(await this.tenant.get(path), 200).body;
  }

  #nextId(): number {
    idCount += 1;
    return idCount;
  }
}

/** The items of all pages of a listing, in order. */
export async function readAllPages(lender: OneProductLender, path: string, member: string, limit: number) {
  const items = [];
  let cursor: string | undefined;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = await lender.read(`${path}${separator}limit=${limit}${from}`);
    items.push(...page[member]);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}
