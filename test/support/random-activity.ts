/** A lender's writes chosen at random from a seed: Clients, Loans, acts, Receipts, reversals and batches. Some are refused. */
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { Random } from '#libs/runtime/random.ts';
import { attributed, instalmentProduct, loanBody, type ProductVersion, registerClient } from './request-bodies.ts';
import { Tenant, type TestEnvironment, type TestResponse } from './tenant.ts';

export class RandomActivity {
  readonly tenant: Tenant;
  readonly clients: string[] = [];
  readonly loans: { readonly id: string; readonly client: string }[] = [];
  readonly receipts: string[] = [];
  readonly #random: Random;
  readonly #name: string;
  #count = 0;
  #product: ProductVersion | undefined;

  private constructor(tenant: Tenant, seed: number) {
    this.tenant = tenant;
    this.#random = new Random(seed);
    this.#name = `${tenant.id}-${seed}`;
  }

  /** With three Clients at least, on each of these databases. */
  static async open(
    environment: TestEnvironment,
    seed: number,
    databases?: Pick<PartitionDatabases, 'all' | 'ofBook'>,
  ): Promise<RandomActivity> {
    const activity = new RandomActivity(await Tenant.open(environment), seed);
    activity.#product = (await requireSuccess(activity.tenant.post('/product-configurations', instalmentProduct))).body;
    const tenantId = activity.tenant.id;
    const placeOf = (client: string) => databases?.ofBook({ tenantId, bookId: clientBookId(client) });
    const isFilled = (place: unknown) => activity.clients.filter((client) => placeOf(client) === place).length >= 3;
    while (!(databases?.all ?? [undefined]).every(isFilled)) await activity.#newClient();
    return activity;
  }

  /** Sends this many random writes, one after another. */
  async run(writes: number): Promise<void> {
    for (let write = 0; write < writes; write += 1) await this.#write();
  }

  /** A Client with more facts than a book may have before a snapshot of it is written, reported in one batch. */
  async busyClient(): Promise<string> {
    const client = this.#random.pick(this.clients);
    await this.#report(Array.from({ length: 80 }, () => ({ ...this.#receipt(), client_id: client })));
    return client;
  }

  async #write(): Promise<void> {
    const choice = this.#random.integer(0, 99);
    if (choice < 3) await this.#newClient();
    else if (choice < 10) await this.#newLoan(this.#random.pick(this.clients));
    else if (choice < 13) await this.tenant.mint(this.#random.chance(0.5) ? 'read' : 'write');
    else if (choice < 15) await this.tenant.post('/product-configurations', instalmentProduct);
    else if (choice < 35) await this.#act();
    else if (choice < 42) await this.#reverse();
    else if (choice < 55) await this.#batch();
    else await this.#pay();
  }

  async #newClient(): Promise<void> {
    const client = this.#newId('client');
    await requireSuccess(registerClient(this.tenant, client));
    this.clients.push(client);
    await this.#newLoan(client);
  }

  async #newLoan(client: string): Promise<void> {
    const body = loanBody(this.#product as ProductVersion, client, this.#newId('loan'), {
      term_periods: this.#random.pick([3, 6, 12]),
      anchor: this.#random.pick(['2026-01-15', '2026-02-01', '2026-03-31']),
      ...(this.#random.chance(0.3) ? { merchant_ref: 'shop-1' } : {}),
    });
    const response = await requireSuccess(this.tenant.post('/loans', body));
    this.loans.push({ id: response.body.id, client });
  }

  async #act(): Promise<void> {
    const { id } = this.#random.pick(this.loans);
    const on = this.#random.pick(['2026-03-01', '2026-04-10', '2026-06-20']);
    const acts: readonly [string, object][] = [
      ['write-off', {}],
      ['suspension', { to: '2026-07-15' }],
      ['waiver', { period: 1, charge: 'interest', amount: this.#money() }],
      ['settlement', { agreed: this.#money() }],
      ['acceleration', { notified_on: '2026-02-20' }],
      ['cession', {}],
      ['payoff-quote', {}],
    ];
    const [segment, members] = this.#random.pick(acts);
    const { status, body } = await this.tenant.post(`/loans/${id}/${segment}`, attributed({ on, ...members }));
    const event = status === 201 ? body.events?.at(-1)?.id : undefined;
    if (event === undefined || this.#random.chance(0.7)) return;
    await this.tenant.post(`/loans/${id}/retraction`, attributed({ on, event_id: event }));
  }

  async #reverse(): Promise<void> {
    if (this.receipts.length === 0) return;
    const receipt = this.#random.pick(this.receipts);
    await this.tenant.post(`/receipts/${receipt}/reversal`, attributed({ reason: 'chargeback' }));
  }

  async #batch(): Promise<void> {
    await this.#report(Array.from({ length: this.#random.integer(2, 21) }, () => this.#receipt()));
  }

  async #report(receipts: readonly { readonly reference: string }[]): Promise<void> {
    await requireSuccess(this.tenant.post('/receipts/batch', { receipts }));
    this.receipts.push(...receipts.map(({ reference }) => reference));
  }

  async #pay(): Promise<void> {
    const receipt = this.#receipt();
    await requireSuccess(this.tenant.post('/receipts', receipt));
    this.receipts.push(receipt.reference);
  }

  #receipt() {
    const value_date = this.#random.pick(['2026-02-15', '2026-03-15', '2026-05-02']);
    return {
      reference: this.#newId('receipt'),
      client_id: this.#random.pick(this.clients),
      amount: this.#money(),
      value_date,
    };
  }

  #money() {
    return { minor_units: this.#random.integer(1, 200_000), currency: 'MXN' };
  }

  #newId(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#name}-${this.#count}`;
  }
}

async function requireSuccess(pending: Promise<TestResponse>): Promise<TestResponse> {
  const response = await pending;
  if (response.status <= 201) return response;
  throw new Error(`expected status 200 or 201, got ${response.status}: ${JSON.stringify(response.body)}`);
}
