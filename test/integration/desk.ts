/** A lender's desk: products to sell, Clients to lend to, and what came back of everything sent, refusals too. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { leastValues } from '#libs/product/given.ts';
import { catalogue, type RefusalCode } from '#libs/schema/refusals.ts';
import { account, anInstalmentLoan, type Pin, register } from './given-loans.ts';
import { type House, Tenant, type Told } from './tenant.ts';

export type Archetype = keyof typeof leastValues;

export function pesos(minorUnits: number): { minor_units: number; currency: string } {
  return { minor_units: minorUnits, currency: 'MXN' };
}

/** A product to most of what a journey does: every act has one of these that admits it. */
export const products = {
  instalment: { rate_min: '0', rate_max: '60', terms: [1, 3, 6, 12], withdrawal_days: 14 },
  bnpl: { rate_max: '0', terms: [4], down_payment_max_bps: 5_000 },
  payday: { rate_min: '0', rate_max: '60', max_rollovers: 1 },
} as const;

let sent = 0;

/** A word nobody used before. */
export function newReference(kind: string): string {
  sent += 1;
  return `${kind}-${sent}-${randomUUID().slice(0, 8)}`;
}

export class Desk {
  readonly tenant: Tenant;
  readonly #pins = new Map<Archetype, Pin>();

  private constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  static async open(house: House): Promise<Desk> {
    return new Desk(await Tenant.open(house));
  }

  close(): Promise<void> {
    return this.tenant.close();
  }

  async product(archetype: Archetype, values: object = {}): Promise<Pin> {
    const stated = { ...leastValues[archetype], ...products[archetype], ...values };
    const told = mustBe(await this.tenant.post('/product-configurations', { archetype, values: stated }), 201);
    return { id: told.body.id, version: told.body.version };
  }

  async version(id: string, archetype: Archetype, values: object = {}): Promise<Pin> {
    const stated = { ...leastValues[archetype], ...products[archetype], ...values };
    const told = await this.tenant.post(`/product-configurations/${id}/versions`, { values: stated });
    return { id, version: mustBe(told, 201).body.version };
  }

  /** The product every Loan is of that names no other. */
  async pin(archetype: Archetype = 'instalment'): Promise<Pin> {
    const known = this.#pins.get(archetype);
    if (known !== undefined) return known;
    const made = await this.product(archetype);
    this.#pins.set(archetype, made);
    return made;
  }

  async client(): Promise<string> {
    const id = newReference('c');
    mustBe(await register(this.tenant, id), 201);
    return id;
  }

  /** What a caller would send to issue a Loan of 10,000 over a year at 36 %, anchored on 15 January 2026. */
  async terms(clientId: string, over: object = {}, pin?: Pin): Promise<Record<string, unknown>> {
    const product = pin ?? (await this.pin());
    return { ...anInstalmentLoan(product, clientId, newReference('loan'), over) };
  }

  async loan(clientId: string, over: object = {}, pin?: Pin) {
    return mustBe(await this.tenant.post('/loans', await this.terms(clientId, over, pin)), 201).body;
  }

  async payday(clientId: string, over: object = {}, pin?: Pin) {
    return this.loan(clientId, { term_periods: 1, ...over }, pin ?? (await this.pin('payday')));
  }

  async bnpl(clientId: string, over: object = {}, pin?: Pin) {
    const terms = { term_periods: 4, rate: '0', tax: { rate: '16', on: [] }, ...over };
    return this.loan(clientId, terms, pin ?? (await this.pin('bnpl')));
  }

  send(loanId: string, segment: string, body: object): Promise<Told> {
    return this.tenant.post(`/loans/${loanId}/${segment}`, body);
  }

  /** A new Loan that this act has happened to. */
  async loanAfter(clientId: string, segment: string, stated: object, over: object = {}) {
    const { id } = await this.loan(clientId, over);
    return this.act(id, segment, stated);
  }

  /** A new Loan suspended all through March. */
  suspended(clientId: string) {
    return this.loanAfter(clientId, 'suspension', { on: '2026-03-01', to: '2026-03-31' });
  }

  /** An act that must stand, answered with the whole Loan. */
  async act(loanId: string, segment: string, stated: object) {
    return mustBe(await this.send(loanId, segment, account(stated)), 201).body;
  }

  async pay(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
    return mustBe(await this.tenant.post('/receipts', aReceipt(clientId, minorUnits, valueDate, over)), 201).body;
  }

  reverse(receipt: string, over: object = {}): Promise<Told> {
    const body = account({ reason: 'returned_by_bank', ...over });
    return this.tenant.post(`/receipts/${encodeURIComponent(receipt)}/reversal`, body);
  }
}

export function aReceipt(clientId: string, minorUnits: number, valueDate: string, over: object = {}) {
  const reference = newReference('receipt');
  return { reference, client_id: clientId, amount: pesos(minorUnits), value_date: valueDate, ...over };
}

export function mustBe(told: Told, status: number): Told {
  if (told.status !== status) throw new Error(`${told.status} instead of ${status}: ${JSON.stringify(told.body)}`);
  return told;
}

/** A refusal of that code, in the one envelope, under the request's own identifier. */
export function expectRefused(told: Told, status: number, code: RefusalCode, details?: object): void {
  expect(`${told.status} ${told.body?.code}`).toBe(`${status} ${code}`);
  expect(told.body).toMatchObject({ error: expect.any(String), retry: catalogue[code].retry });
  expect(told.body.request_id).toBe(told.headers['request-id']);
  if (details !== undefined) expect(told.body.details).toMatchObject(details);
}

/** The last fact of a kind among a Loan's events. */
export function eventOf(loan: { events: { id: string; kind: string }[] }, kind: string) {
  const found = loan.events.findLast((event) => event.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${loan.events.map((event) => event.kind).join(', ')}`);
  return found;
}
