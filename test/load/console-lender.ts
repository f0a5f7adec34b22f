/**
 * The Tenancy whose pages are measured: very many Clients, some of them with a late Loan, one with very many Loans, one with a
 * book that is just read whole. All is recorded by requests but the many Clients, which are copies (`copy-clients.ts`).
 */

import type { Signer } from '#libs/auth/signer.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { policyContent, withIncome } from '#libs/credit/testing/example.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { openAdministration } from '#libs/submission/open-submission-client.ts';
import { requestBytes } from '#test/support/signed-request.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { printComment } from './bench-environment.ts';
import { inParallel, openBenchTenancy, wideBounds } from './bench-lender.ts';
import { Connection } from './connection.ts';
import { copyClients } from './copy-clients.ts';

export interface ConsoleLender {
  readonly id: string;
  readonly signer: Signer;
  readonly configuration: string;
  readonly policy: string;
  /** In the middle of what was recorded about the Client. */
  readonly large: BenchClient;
  /** Has a hundred Loans and almost a thousand facts. */
  readonly busy: BenchClient;
  /** Its book is just small enough to be read whole (`services/console/explorer/clients/read-client.ts`). */
  readonly whole: BenchClient;
}

export interface BenchClient {
  readonly id: string;
  readonly loan: string;
  readonly receipt: string;
  readonly lastReceipt: string;
  /** How many facts its book has. */
  readonly facts: number;
  /** A moment at which half of its Receipts were recorded. */
  readonly knownAt: string;
}

export const productValues = {
  principal_min: pesos(100),
  principal_max: pesos(50_000),
  rate_min: '12',
  rate_max: '60',
  penalty_rate_max: '60',
  terms: [6, 12, 24],
} as const;

/** Each waits for its answers; the service commits what arrives together. */
const setupConnections = 256;
const maxBatch = 100;
/** Of the large Client, one of so many Receipts names no Loan, and visits all of them. The others are for one Loan. */
const receiptsPerUndesignated = 10;
const account = { actor: 'bench', basis: 'benchmark' };
const busyBook = { loans: 100, receipts: 890 };
const wholeBook = { loans: 20, receipts: 480 };
const receiptsOfLargeBook = 200;
/** Of the busy Client, and of the product. */
const facilities = 60;
const lookupKeys = 300;
const actsAtOnce = 64;
/** Large, busy and whole. */
const namedClients = 3;
const policy = 'retail';
const copiedClient = 'client';
const copiedBorrower = 'borrower';

export interface ConsoleLenderCounts {
  readonly clients: number;
  /** Of the Clients, those with one Loan that is late. */
  readonly borrowers: number;
  /** Of the large Client. */
  readonly loans: number;
  /** In the audit list. */
  readonly acts: number;
}

export async function createConsoleLender(
  { stack, port }: BenchEnvironment,
  counts: ConsoleLenderCounts,
): Promise<ConsoleLender> {
  const id = `bench${Date.now()}`;
  const signer = await openBenchTenancy(stack, id);
  const setup = new Setup(id, signer, port);
  const product = await setup.send('POST', '/product-configurations', {
    archetype: 'instalment',
    values: productValues,
  });
  await setup.adoptPolicy(product.id);
  await setup.inParallel(lookupKeys, (index) => [
    'PUT',
    `/product-lookup-keys/shop-${index}`,
    { configuration_id: product.id, configuration_version: 1 },
  ]);
  await setup.send('PUT', `/clients/${copiedClient}`, account);
  const others = counts.clients - counts.borrowers - namedClients;
  await copyClients(stack.databaseUrl, { tenantId: id, client: copiedClient, count: others - 1 });
  await setup.recordBorrower(product.id);
  await copyClients(stack.databaseUrl, { tenantId: id, client: copiedBorrower, count: counts.borrowers - 1 });
  await recordActs(stack, id, counts.acts);
  const large = await setup.recordBook(product.id, 'client-large', {
    loans: counts.loans,
    receipts: receiptsOfLargeBook,
    receiptsPerUndesignated,
  });
  printComment(`issued ${counts.loans} Loans of one Client`);
  const busy = await setup.recordBook(product.id, 'client-busy', busyBook);
  await setup.openFacilities(product.id, busy.id);
  const whole = await setup.recordBook(product.id, 'client-whole', wholeBook);
  return { id, signer, configuration: product.id, policy, large, busy, whole };
}

async function recordActs(stack: BenchEnvironment['stack'], tenantId: string, count: number): Promise<void> {
  const { administration, close } = await openAdministration(stack, silentLogger);
  const workers = Array.from({ length: actsAtOnce }, () => administration);
  await inParallel(workers, count, async (acts, index) => {
    await acts.setBounds(`person-${index % 20}@lender.example`, tenantId, wideBounds);
  });
  await close();
  printComment(`recorded ${count} acts in the audit list`);
}

interface RecordedBook {
  readonly loans: number;
  readonly receipts: number;
  readonly receiptsPerUndesignated?: number;
}

type RequestParts = readonly [method: string, path: string, body: object];

class Setup {
  readonly #base: string;
  readonly #signer: Signer;
  readonly #port: number;

  constructor(tenantId: string, signer: Signer, port: number) {
    this.#base = `/v1/tenants/${tenantId}`;
    this.#signer = signer;
    this.#port = port;
  }

  async send(...request: RequestParts): Promise<{ readonly id: string }> {
    const connection = await Connection.open(this.#port);
    const answer = await this.#send(connection, request);
    connection.close();
    return answer;
  }

  /** On new connections: the service closes those that were idle since the last time. */
  async inParallel(count: number, requestOf: (index: number) => RequestParts): Promise<readonly string[]> {
    const length = Math.min(count, setupConnections);
    const connections = await Promise.all(Array.from({ length }, () => Connection.open(this.#port)));
    const ids: string[] = [];
    await inParallel(connections, count, async (connection, index) => {
      ids[index] = (await this.#send(connection, requestOf(index))).id;
    });
    for (const each of connections) each.close();
    return ids;
  }

  async adoptPolicy(configuration: string): Promise<void> {
    const versions = `/credit-policies/${policy}/versions`;
    await this.send('POST', versions, { ...account, reference: 'draft', content: policyContent });
    const publication = { actor: 'another', basis: account.basis, reference: 'publication' };
    await this.send('POST', `${versions}/1/publication`, publication);
    const adoption = { ...account, reference: 'adoption', policy, version: 1, enforce_bar: false };
    await this.send('PUT', `/product-configurations/${configuration}/policy`, adoption);
  }

  /** Paid the first of its periods late, and is late with the others. */
  async recordBorrower(configuration: string): Promise<void> {
    await this.send('PUT', `/clients/${copiedBorrower}`, account);
    await this.send('POST', '/loans', loanOf(configuration, copiedBorrower, { index: 0, all: 1 }));
    const receipt = { amount: pesos(120), value_date: '2026-02-27', rail: 'cash' };
    const reference = receiptReference(copiedBorrower, 0);
    await this.send('POST', '/receipts', { reference, client_id: copiedBorrower, ...receipt });
  }

  async openFacilities(configuration: string, client: string): Promise<void> {
    const decision = await this.send('POST', '/credit-decisions', {
      ...account,
      reference: 'application',
      client_id: client,
      configuration_id: configuration,
      configuration_version: 1,
      principal: pesos(10_000),
      submitted_on: '2026-03-01',
      attributes: withIncome(30_000, 24).attributes,
      sources: ['bureau'],
    });
    await this.inParallel(facilities, (index) => [
      'POST',
      '/facilities',
      {
        ...account,
        reference: `facility-${index}`,
        client_id: client,
        decision_id: decision.id,
        amount: pesos(5_000),
        opens_on: '2026-01-01',
        expires_on: '2026-12-31',
      },
    ]);
  }

  async recordBook(
    configuration: string,
    client: string,
    { loans, receipts, receiptsPerUndesignated: rate = 1 }: RecordedBook,
  ): Promise<BenchClient> {
    await this.send('PUT', `/clients/${client}`, account);
    const { id: loan } = await this.send('POST', '/loans', loanOf(configuration, client, { index: 0, all: loans }));
    const others = await this.inParallel(loans - 1, (index) => [
      'POST',
      '/loans',
      loanOf(configuration, client, { index: index + 1, all: loans }),
    ]);
    const half = Math.floor(receipts / 2);
    const loanOfReceipt = (index: number): object =>
      index % rate === 0 ? {} : { designated_loan_id: [loan, ...others][index % loans] };
    const all = Array.from({ length: receipts }, (_, index) => ({
      ...receiptOf(client, index, receipts),
      ...loanOfReceipt(index),
    }));
    // A batch with several Receipts that visit very many Loans would outlast the patience of the service.
    const batch = rate === 1 ? maxBatch : rate;
    await this.#reportReceipts(all.slice(0, half), batch);
    const knownAt = new Date().toISOString();
    await this.#reportReceipts(all.slice(half), batch);
    const [receipt, lastReceipt] = [receiptReference(client, 0), receiptReference(client, receipts - 1)];
    return { id: client, loan, receipt, lastReceipt, facts: loans + receipts, knownAt };
  }

  async #reportReceipts(receipts: readonly object[], batch: number): Promise<void> {
    for (let start = 0; start < receipts.length; start += batch) {
      await this.send('POST', '/receipts/batch', { receipts: receipts.slice(start, start + batch) });
    }
  }

  /** Again where the service rejects it under load. */
  async #send(connection: Connection, [method, path, body]: RequestParts): Promise<{ readonly id: string }> {
    for (;;) {
      const answer = await connection.send(requestBytes(this.#signer, method, this.#base + path, body));
      if (answer.status <= 201) return JSON.parse(answer.body) as { readonly id: string };
      if (answer.status === 500 || !answer.body.includes('"retry":"as_is"')) {
        throw new Error(`${method} ${path}: ${answer.status} ${answer.body}; expected 200 or 201`);
      }
    }
  }
}

/**
 * Of three lengths, begun on the days of January in their order, before all Receipts: a Loan that begins before others makes the
 * service compute all later steps again, which takes hours for ten thousand Loans.
 */
function loanOf(
  configuration: string,
  client: string,
  { index, all }: { readonly index: number; readonly all: number },
): object {
  return {
    reference: `loan-${client}-${index}`,
    client_id: client,
    configuration_id: configuration,
    configuration_version: 1,
    principal: pesos(1_000 + (index % 40) * 100),
    term_periods: [12, 6, 24][index % 3],
    rate: '36',
    penalty_rate: '54',
    anchor: formatDay(addDays(dayOf('2026-01-02'), Math.floor((index * 25) / all))),
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest'] },
  };
}

/** In the order of their days, over five months: a back-dated one makes the service compute all later ones again. */
function receiptOf(client: string, index: number, all: number): object {
  return {
    reference: receiptReference(client, index),
    client_id: client,
    amount: pesos(50 + (index % 7) * 25),
    value_date: formatDay(addDays(dayOf('2026-02-01'), Math.floor((index * 145) / all))),
    rail: 'bank_transfer',
  };
}

function receiptReference(client: string, index: number): string {
  return `receipt-${client}-${index}`;
}

function pesos(whole: number) {
  return { minor_units: whole * 100, currency: 'MXN' };
}
