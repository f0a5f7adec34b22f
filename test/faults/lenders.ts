/** Lenders who write all the time, send again whatever they were not told of, and remember what they were told. */

import type { Namespace } from '#libs/ledger/book-decider.ts';
import { anInstalmentLoan, instalment } from '#test/integration/given-loans.ts';
import type { Tenant, Told } from '#test/integration/tenant.ts';
import { type Deed, Deeds, type Doing } from './deeds.ts';
import { registered } from './registered.ts';

export interface Crowd {
  readonly tenant: Tenant;
  readonly seed: number;
  readonly clients: number;
  readonly workers: number;
  /** Receipts alone where it is left out. */
  readonly doing?: Doing;
}

export interface Acknowledged {
  readonly namespace: Namespace;
  readonly bookId: string;
  /** What it made; undefined where the answer does not name it. */
  readonly id: string | undefined;
  readonly status: number;
}

const pauseMs = 50;
const patientForMs = 60_000;

export class Lenders {
  /** By reference: what a 200 or 201 said of it. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Answers that are neither a record nor a reason to send again. */
  readonly surprises: string[] = [];
  /** How often something had to be sent again, by why. */
  readonly again: Record<string, number> = {};
  readonly #crowd: Crowd;
  readonly #random: () => number;
  readonly #clients: string[] = [];
  /** What is to be done with what was done. */
  readonly #next: Deed[] = [];
  #deeds: Deeds | undefined;
  #running = false;
  #working: Promise<unknown> | undefined;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
    this.#random = seeded(crowd.seed);
  }

  async prepare(): Promise<void> {
    const { tenant, clients, seed, doing = 'receipts' } = this.#crowd;
    const configuration = (await mustBe(201, tenant.post('/product-configurations', instalment))).body;
    for (let at = 0; at < clients; at += 1) {
      const client = `lender-${seed}-${at}`;
      await registered(tenant, client);
      await mustBe(201, tenant.post('/loans', anInstalmentLoan(configuration, client, `loan-${seed}-${at}`)));
      this.#clients.push(client);
    }
    this.#deeds = new Deeds({ prefix: String(seed), pin: configuration, doing, random: this.#random });
  }

  start(): void {
    const deeds = this.#deeds;
    if (deeds === undefined) throw new Error('lenders who were not prepared have nothing to lend');
    this.#running = true;
    const work = async (): Promise<void> => {
      while (this.#running) await this.#work(deeds);
    };
    this.#working = Promise.all(Array.from({ length: this.#crowd.workers }, work));
  }

  /** What was begun is brought to its end. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#working;
  }

  async #work(deeds: Deeds): Promise<void> {
    const client = this.#clients[Math.floor(this.#random() * this.#clients.length)] as string;
    const deed = this.#next.shift() ?? deeds.of(client);
    const until = performance.now() + patientForMs;
    while (performance.now() < until) {
      const told = await this.#crowd.tenant
        .post(deed.path, deed.body)
        .catch((cause: NodeJS.ErrnoException) => String(cause.code));
      if (this.#isTold(deed, told)) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.surprises.push(`${deed.reference} was not taken within ${patientForMs} ms`);
  }

  #isTold({ namespace, reference, bookId, made, next }: Deed, told: Told | string): boolean {
    if (typeof told === 'string') return this.#countAgain(told);
    const { status, body } = told;
    if (status === 200 || status === 201) {
      this.acknowledged.set(reference, { namespace, bookId, id: made?.(body), status });
      const behind = next?.(body);
      if (behind !== undefined) this.#next.push(behind);
      return true;
    }
    // What the contract says to send again as it is.
    if (body?.retry === 'as_is') return this.#countAgain(body.code);
    this.surprises.push(`${reference}: ${status} ${JSON.stringify(body)}`);
    return true;
  }

  #countAgain(why: string): false {
    this.again[why] = (this.again[why] ?? 0) + 1;
    return false;
  }
}

async function mustBe(status: number, telling: Promise<Told>): Promise<Told> {
  const told = await telling;
  if (told.status !== status) throw new Error(`${told.status} where ${status} was due: ${JSON.stringify(told.body)}`);
  return told;
}

/** The same choices for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
