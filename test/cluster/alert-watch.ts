/** Prometheus beside the cluster: which alerts a fault raises, and when they resolve. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { requireProgram } from '#deploy/tools/programs.ts';
import { fasterRules } from './faster-rules.ts';
import { textTable } from './result-table.ts';

/** Production scrapes every 15 to 30 s. Here all durations of the rules are divided by this. */
const timeFactor = 20;
/** Longer than the checks of a service take, whose results are in its metrics, while a dependency does not answer. */
const scrapeTime = '2s';
const pollMs = 500;
const resolveTimeoutMs = 120_000;

/** What the faults with such a name must raise; the first line that fits counts. A fault that fits none needs none. */
const expectedAlerts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(broker-|coordinator-|partition-broker|disk-full-kafka)/, ['LendingReplicaMissing']],
  // Writes wait until the fault is lifted. The last broker cannot change the set of replicas in sync, so none seems to be missing.
  [/^two-brokers-kill/, ['LendingKafkaUnreachable', 'LendingRequestsFailing']],
  [/^two-brokers-pause/, ['LendingRequestsFailing']],
  // Writes fail until the standby is promoted, and from then on it has none.
  [/^(primary-machine-kill|primary-pause|partition-primary)/, ['LendingStandbyMissing', 'LendingRequestsFailing']],
  // Whichever lasts longer: the promotion, or the return of the former primary as a standby.
  [/^(primary-|disk-full-primary)/, ['LendingStandbyMissing or LendingRequestsFailing']],
  [/^(standby-|disk-full-standby)/, ['LendingStandbyMissing']],
  [/^service-/, ['LendingServiceDown']],
  [/^(redis|registry)-/, ['LendingDependencyDegraded']],
  [/^clock-.*-ahead/, ['LendingClockWrong']],
  // New certificates are not valid yet, and the service reaches nothing.
  [/^clock-.*-behind/, ['LendingClockWrong or LendingDependencyDegraded']],
  [/^partition-processor-kafka/, ['LendingRequestsFailing or LendingWritesSlow']],
];

/** Those of the expected alerts that were not raised. */
export function missingAlerts(fault: string, raised: readonly string[]): string[] {
  const expected = expectedAlerts.find(([name]) => name.test(fault))?.[1] ?? [];
  return expected.filter((alternatives) => !alternatives.split(' or ').some((alert) => raised.includes(alert)));
}

interface RaisedAlert {
  readonly fault: string;
  readonly alert: string;
  readonly raisedAt: number;
  resolvedAt: number | undefined;
}

interface AlertOfPrometheus {
  readonly labels: { readonly alertname: string };
  readonly state: 'pending' | 'firing';
}

export class AlertWatch {
  readonly #process: ChildProcess;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #raised: RaisedAlert[] = [];
  #fault = 'start';
  #startedAt = performance.now();

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
    this.#timer = setInterval(() => void this.#poll().catch(() => undefined), pollMs);
  }

  /** `targets` are the ports for operators, by the name of the instance. */
  static async start(
    dir: string,
    targets: Readonly<Record<string, number>>,
    log: (line: string) => void,
  ): Promise<AlertWatch> {
    const program = await requireProgram('prometheus', log);
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const rules = readFileSync(join(projectDir, 'deploy', 'prometheus', 'alerts.yaml'), 'utf8');
    writeFileSync(join(dir, 'rules.json'), JSON.stringify(fasterRules(rules, timeFactor)));
    const scraped = Object.entries(targets).map(([instance, port]) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { instance, cell: 'cluster' },
    }));
    const config = {
      global: { scrape_interval: scrapeTime, scrape_timeout: scrapeTime, evaluation_interval: '1s' },
      rule_files: ['rules.json'],
      scrape_configs: [{ job_name: 'lending', static_configs: scraped }],
    };
    writeFileSync(join(dir, 'prometheus.json'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const options = [
      `--config.file=${join(dir, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    return new AlertWatch(spawn(program, options, { stdio: 'ignore' }), `http://${address}`);
  }

  begin(fault: string): void {
    this.#fault = fault;
    this.#startedAt = performance.now();
  }

  /** Waits until every alert has resolved. Returns what went wrong. */
  async end(): Promise<string[]> {
    for (const until = performance.now() + resolveTimeoutMs; this.#firing().length > 0; await sleep(pollMs)) {
      if (performance.now() > until) return this.#firing().map(({ alert }) => `${alert} did not resolve`);
    }
    const raised = this.#raised.filter(({ fault }) => fault === this.#fault).map(({ alert }) => alert);
    return missingAlerts(this.#fault, raised).map((alert) => `${alert} was not raised`);
  }

  /** In seconds since the beginning of the load of the fault. */
  table(): string {
    const rows = this.#raised.map(({ fault, alert, raisedAt, resolvedAt }) => [
      `${fault}  ${alert}`,
      raisedAt.toFixed(0),
      resolvedAt === undefined ? 'no' : resolvedAt.toFixed(0),
    ]);
    return textTable([['fault and alert', 'raised s', 'resolved s'], ...rows]);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#process.kill('SIGKILL');
  }

  #firing(): RaisedAlert[] {
    return this.#raised.filter(({ resolvedAt }) => resolvedAt === undefined);
  }

  async #poll(): Promise<void> {
    const response = await fetch(`${this.#url}/api/v1/alerts`);
    const { data } = (await response.json()) as { data: { alerts: AlertOfPrometheus[] } };
    const firing = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    const now = (performance.now() - this.#startedAt) / 1_000;
    for (const known of this.#firing()) if (!firing.includes(known.alert)) known.resolvedAt = now;
    const isKnown = new Set(this.#firing().map(({ alert }) => alert));
    for (const alert of new Set(firing)) {
      if (!isKnown.has(alert)) this.#raised.push({ fault: this.#fault, alert, raisedAt: now, resolvedAt: undefined });
    }
  }
}
