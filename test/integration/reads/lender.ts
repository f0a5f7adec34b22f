/** A lender in the middle of its work: a product, Clients, Loans and money, to be read. */
import { anInstalmentLoan, instalment, type Pin, register } from '#test/integration/given-loans.ts';
import { type House, Tenant, type Told } from '#test/integration/tenant.ts';

let counted = 0;

export class Lender {
  readonly tenant: Tenant;
  readonly product: Pin;

  private constructor(tenant: Tenant, product: Pin) {
    this.tenant = tenant;
    this.product = product;
  }

  static async open(house: House): Promise<Lender> {
    const tenant = await Tenant.open(house);
    const created = await tenant.post('/product-configurations', instalment);
    return new Lender(tenant, { id: mustBe(created, 201).body.id, version: 1 });
  }

  async client(): Promise<string> {
    const id = `c-${this.#next()}`;
    mustBe(await register(this.tenant, id), 201);
    return id;
  }

  async loan(clientId: string, over: object = {}) {
    const stated = anInstalmentLoan(this.product, clientId, `loan-${this.#next()}`, over);
    return mustBe(await this.tenant.post('/loans', stated), 201).body;
  }

  async pay(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
    const receipt = {
      reference: `receipt-${this.#next()}`,
      client_id: clientId,
      amount: { minor_units: minorUnits, currency: 'MXN' },
      value_date: valueDate,
      ...over,
    };
    return mustBe(await this.tenant.post('/receipts', receipt), 201).body;
  }

  async act(loanId: string, segment: string, on: string, over: object = {}) {
    const body = { on, reference: `act-${this.#next()}`, actor: 'ana', basis: 'as agreed', ...over };
    return mustBe(await this.tenant.post(`/loans/${loanId}/${segment}`, body), 201).body;
  }

  async reverse(receipt: string) {
    const body = { reason: 'chargeback', reference: `act-${this.#next()}`, actor: 'ana', basis: 'the bank said so' };
    return mustBe(await this.tenant.post(`/receipts/${receipt}/reversal`, body), 201).body;
  }

  async read(path: string) {
    return mustBe(await this.tenant.get(path), 200).body;
  }

  #next(): number {
    counted += 1;
    return counted;
  }
}

export function mustBe(told: Told, status: number): Told {
  if (told.status !== status) throw new Error(`${told.status} instead of ${status}: ${JSON.stringify(told.body)}`);
  return told;
}

/** Every page of a listing, in order. */
export async function everyPage(lender: Lender, path: string, member: string, limit: number) {
  const found = [];
  let cursor: string | undefined;
  do {
    const mark = path.includes('?') ? '&' : '?';
    const page = await lender.read(`${path}${mark}limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    found.push(...page[member]);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
