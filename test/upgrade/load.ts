/** Callers behind a load balancer: requests at a steady rate to the gateways that are ready, and every answer counted. */
import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Signer } from '#libs/auth/signer.ts';
import type { ServiceProcess } from '#test/support/service-process.ts';
import { authorization } from '#test/support/signed-request.ts';

export interface PhaseResult {
  readonly name: string;
  answered: number;
  /** Answers 429. */
  limited: number;
  slowestMs: number;
  /** Answers other than 2xx and 429, and requests without an answer. */
  readonly failures: string[];
}

export interface LoadOptions {
  readonly tenantId: string;
  readonly signer: Signer;
  readonly clients: readonly string[];
  readonly perSecond: number;
}

interface Target {
  readonly gateway: ServiceProcess;
  readonly agent: Agent;
  isReady: boolean;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** As a balancer polls. The gateways drain for several times as long. */
const readinessPollMs = 50;
/** One in so many requests reads. */
const readsEvery = 5;

export class UpgradeLoad {
  readonly phases: PhaseResult[] = [];
  /** References of Receipts that were answered 2xx. */
  readonly acknowledged = new Set<string>();
  readonly #options: LoadOptions;
  readonly #targets = new Set<Target>();
  readonly #inFlight = new Set<Promise<void>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Adds a gateway to the balancer, until it has ended. */
  addGateway(gateway: ServiceProcess): void {
    const target: Target = { gateway, agent: new Agent({ keepAlive: true }), isReady: false };
    this.#targets.add(target);
    void this.#watch(target);
  }

  beginPhase(name: string): void {
    this.phases.push({ name, answered: 0, limited: 0, slowestMs: 0, failures: [] });
  }

  start(): void {
    this.#timer = setInterval(() => {
      const sending = this.#sendNext().finally(() => this.#inFlight.delete(sending));
      this.#inFlight.add(sending);
    }, 1_000 / this.#options.perSecond);
  }

  /** Resolves when so many more requests of the current phase were answered or have failed. */
  async untilAnswered(count: number): Promise<void> {
    const done = (): number => this.#phase.answered + this.#phase.failures.length;
    for (const end = done() + count; done() < end; ) await sleep(10);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#inFlight);
    for (const { agent } of this.#targets) agent.destroy();
    this.#targets.clear();
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const ready = [...this.#targets].filter(({ isReady }) => isReady);
    const target = ready[this.#count++ % ready.length];
    if (target === undefined) return { status: 0, text: 'no gateway is ready' };
    return this.#send(target, method, `/v1/tenants/${this.#options.tenantId}${path}`, body);
  }

  get #phase(): PhaseResult {
    const phase = this.phases.at(-1);
    if (phase === undefined) throw new Error('call beginPhase() before start()');
    return phase;
  }

  async #watch(target: Target): Promise<void> {
    while (this.#targets.has(target) && target.gateway.isRunning()) {
      const answer = await fetch(`${target.gateway.baseUrl}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      target.isReady = answer?.status === 200;
      await sleep(readinessPollMs);
    }
    target.isReady = false;
    this.#targets.delete(target);
    target.agent.destroy();
  }

  async #sendNext(): Promise<void> {
    const number = this.#count;
    const { clients } = this.#options;
    const client = clients[number % clients.length] as string;
    const reference = `upgrade-${number}`;
    const isRead = number % readsEvery === 0;
    const startedAt = performance.now();
    const { status, text } = isRead
      ? await this.call('GET', `/clients/${client}/payment-options?on=2026-03-20`)
      : await this.call('POST', '/receipts', {
          reference,
          client_id: client,
          amount: { minor_units: 100 + (number % 100), currency: 'MXN' },
          value_date: '2026-03-01',
        });
    const phase = this.#phase;
    phase.slowestMs = Math.max(phase.slowestMs, performance.now() - startedAt);
    if (status >= 200 && status < 300) {
      phase.answered += 1;
      if (!isRead) this.acknowledged.add(reference);
    } else if (status === 429) {
      phase.answered += 1;
      phase.limited += 1;
    } else phase.failures.push(`${isRead ? 'read' : reference}: ${status} ${text.slice(0, 300)}`);
  }

  #send({ gateway, agent }: Target, method: string, target: string, body: object | undefined): Promise<Answer> {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const headers = {
      authorization: authorization(this.#options.signer, { method, target, body: bytes }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    };
    return new Promise((resolve) => {
      const outgoing = send(`${gateway.baseUrl}${target}`, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', ({ message }) => resolve({ status: 0, text: message }));
      });
      outgoing.on('error', ({ message }) => resolve({ status: 0, text: message }));
      outgoing.end(bytes);
    });
  }
}
