/**
 * Requests and how long they took, as Prometheus asks for them. They are counted here and told when somebody asks: prom-client
 * makes a text of the labels each time, and of a request that is turned away that was a tenth.
 */
import type { Metric, Registry } from 'prom-client';

const upTo = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const requests = 'lending_requests_total';
const seconds = 'lending_request_seconds';

interface Answered {
  readonly status: number;
  readonly code: string;
  times: number;
}

interface OfRoute {
  /** By code where there is one, for it has one status; else by status. */
  readonly answered: Map<string | number, Answered>;
  /** Of each bound those that took so long and longer than the bound before, then those that took longer than all. */
  readonly within: number[];
  sum: number;
}

export class RequestFigures {
  readonly #routes = new Map<string, OfRoute>();

  register(registry: Registry): void {
    const figures = [
      { name: requests, help: 'Requests answered, by route, status and code of refusal.', type: 'counter' },
      { name: seconds, help: 'From the first byte of a request to its answer.', type: 'histogram' },
    ] as const;
    for (const { name, help, type } of figures) {
      const values = type === 'counter' ? () => this.#requests() : () => this.#seconds();
      const get = async () => ({ name, help, type, aggregator: 'sum', values: [...values()] });
      // All that a registry calls; a class of its own is all that its types know.
      registry.registerMetric({ name, get } as unknown as Metric);
    }
  }

  observe(route: string, status: number, code: string | undefined, took: number): void {
    let of = this.#routes.get(route);
    if (of === undefined) {
      of = { answered: new Map(), within: Array(upTo.length + 1).fill(0), sum: 0 };
      this.#routes.set(route, of);
    }
    let answered = of.answered.get(code ?? status);
    if (answered === undefined) {
      answered = { status, code: code ?? '', times: 0 };
      of.answered.set(code ?? status, answered);
    }
    answered.times += 1;
    let at = 0;
    while (took > (upTo[at] as number)) at += 1;
    of.within[at] = (of.within[at] as number) + 1;
    of.sum += took;
  }

  *#requests() {
    for (const [route, { answered }] of this.#routes) {
      for (const { status, code, times } of answered.values()) yield { labels: { route, status, code }, value: times };
    }
  }

  *#seconds() {
    for (const [route, { within, sum }] of this.#routes) {
      let count = 0;
      for (const [at, times] of within.entries()) {
        count += times;
        yield { metricName: `${seconds}_bucket`, labels: { le: upTo[at] ?? '+Inf', route }, value: count };
      }
      yield { metricName: `${seconds}_sum`, labels: { route }, value: sum };
      yield { metricName: `${seconds}_count`, labels: { route }, value: count };
    }
  }
}
