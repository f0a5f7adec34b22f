/** A lender's life by chance: whatever may be asked of a book is asked, and what is refused leaves no trace. */
import { seeded } from '#test/faults/lenders.ts';
import { account, anInstalmentLoan, instalment, type Pin, register } from './given-loans.ts';
import { type House, Tenant, type Told } from './tenant.ts';

export class Life {
  readonly tenant: Tenant;
  readonly clients: string[] = [];
  readonly loans: { readonly id: string; readonly client: string }[] = [];
  readonly receipts: string[] = [];
  readonly #random: () => number;
  readonly #name: string;
  #count = 0;
  #product: Pin | undefined;

  private constructor(tenant: Tenant, seed: number) {
    this.tenant = tenant;
    this.#random = seeded(seed);
    this.#name = `${tenant.id}-${seed}`;
  }

  static async open(house: House, seed: number): Promise<Life> {
    const life = new Life(await Tenant.open(house), seed);
    life.#product = (await must(life.tenant.post('/product-configurations', instalment))).body;
    for (let at = 0; at < 3; at += 1) await life.#newClient();
    return life;
  }

  /** So many turns, one after another. */
  async go(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await this.#turn();
  }

  /** A Client reported so often, in one batch: more facts than any book may have before it has a snapshot. */
  async busyClient(): Promise<string> {
    const client = this.#one(this.clients);
    await this.#report(Array.from({ length: 80 }, () => ({ ...this.#receipt(), client_id: client })));
    return client;
  }

  async #turn(): Promise<void> {
    const dice = this.#random();
    if (dice < 0.03) await this.#newClient();
    else if (dice < 0.1) await this.#newLoan(this.#one(this.clients));
    else if (dice < 0.13) await this.tenant.mint(this.#random() < 0.5 ? 'read' : 'write');
    else if (dice < 0.15) await this.tenant.post('/product-configurations', instalment);
    else if (dice < 0.35) await this.#act();
    else if (dice < 0.42) await this.#reverse();
    else if (dice < 0.55) await this.#batch();
    else await this.#pay();
  }

  async #newClient(): Promise<void> {
    const client = this.#word('client');
    await must(register(this.tenant, client));
    this.clients.push(client);
    await this.#newLoan(client);
  }

  async #newLoan(client: string): Promise<void> {
    const stated = anInstalmentLoan(this.#product as Pin, client, this.#word('loan'), {
      term_periods: this.#one([3, 6, 12]),
      anchor: this.#one(['2026-01-15', '2026-02-01', '2026-03-31']),
      ...(this.#random() < 0.3 ? { merchant_ref: 'shop-1' } : {}),
    });
    const { body } = await must(this.tenant.post('/loans', stated));
    this.loans.push({ id: body.id, client });
  }

  async #act(): Promise<void> {
    const { id } = this.#one(this.loans);
    const on = this.#one(['2026-03-01', '2026-04-10', '2026-06-20']);
    const acts: readonly [string, object][] = [
      ['write-off', {}],
      ['suspension', { to: '2026-07-15' }],
      ['waiver', { period: 1, charge: 'interest', amount: this.#money() }],
      ['settlement', { agreed: this.#money() }],
      ['acceleration', { notified_on: '2026-02-20' }],
      ['cession', {}],
      ['payoff-quote', {}],
    ];
    const [segment, more] = this.#one(acts);
    const { status, body } = await this.tenant.post(`/loans/${id}/${segment}`, account({ on, ...more }));
    const event = status === 201 ? body.events?.at(-1)?.id : undefined;
    if (event === undefined || this.#random() < 0.7) return;
    await this.tenant.post(`/loans/${id}/retraction`, account({ on, event_id: event }));
  }

  async #reverse(): Promise<void> {
    if (this.receipts.length === 0) return;
    const receipt = this.#one(this.receipts);
    await this.tenant.post(`/receipts/${receipt}/reversal`, account({ reason: 'chargeback' }));
  }

  async #batch(): Promise<void> {
    await this.#report(Array.from({ length: 2 + Math.floor(this.#random() * 20) }, () => this.#receipt()));
  }

  async #report(receipts: readonly { readonly reference: string }[]): Promise<void> {
    await must(this.tenant.post('/receipts/batch', { receipts }));
    this.receipts.push(...receipts.map(({ reference }) => reference));
  }

  async #pay(): Promise<void> {
    const receipt = this.#receipt();
    await must(this.tenant.post('/receipts', receipt));
    this.receipts.push(receipt.reference);
  }

  #receipt() {
    const value_date = this.#one(['2026-02-15', '2026-03-15', '2026-05-02']);
    return { reference: this.#word('receipt'), client_id: this.#one(this.clients), amount: this.#money(), value_date };
  }

  #money() {
    return { minor_units: 1 + Math.floor(this.#random() * 200_000), currency: 'MXN' };
  }

  #one<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }

  #word(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#name}-${this.#count}`;
  }
}

async function must(telling: Promise<Told>): Promise<Told> {
  const told = await telling;
  if (told.status > 201) throw new Error(`${told.status}: ${JSON.stringify(told.body)}`);
  return told;
}
