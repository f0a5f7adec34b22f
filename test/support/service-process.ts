/** One service in a process of its own, next to the services that the whole test run shares. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { requireProcess, sendSignal, waitForExit } from '#deploy/dev/process-control.ts';
import type { RunningServices, ServiceName } from '#deploy/dev/services.ts';
import { eventually } from './tenant.ts';

const stopTimeoutMs = 30_000;

/** Ends a shared service with SIGTERM. Of one that is killed, Kafka waits for the end of its session. */
export async function stopService({ dir }: RunningServices, name: ServiceName): Promise<void> {
  const entry = requireProcess(dir, name);
  sendSignal(entry, 'SIGTERM');
  if (!(await waitForExit(entry, stopTimeoutMs))) throw new Error(`${name} did not stop within 30 s`);
}

export interface ReadinessReport {
  readonly status: number;
  readonly missing: readonly string[];
  readonly degraded: readonly string[];
}

interface ServiceProcessOptions {
  /** The checkout whose service is started: this one, or that of another release. */
  readonly cwd?: string;
  readonly stdio?: StdioOptions;
}

export class ServiceProcess {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  /** Address of health and metrics. */
  readonly operationsUrl: string;
  /** Resolves with exit code and signal. */
  readonly exited: Promise<unknown>;

  private constructor(
    name: string,
    ports: { callers: number; operations: number },
    env: Record<string, string>,
    { cwd = projectDir, stdio = 'ignore' }: ServiceProcessOptions = {},
  ) {
    this.port = ports.callers;
    this.baseUrl = `http://127.0.0.1:${ports.callers}`;
    this.operationsUrl = `http://127.0.0.1:${ports.operations}`;
    this.process = spawn(process.execPath, [join(cwd, 'services', name, 'main.ts')], {
      stdio,
      cwd,
      env: { ...process.env, ...env, PORT: String(ports.callers), METRICS_PORT: String(ports.operations) },
    });
    this.exited = once(this.process, 'exit');
  }

  static async start(
    name: string,
    env: Record<string, string>,
    options?: ServiceProcessOptions,
  ): Promise<ServiceProcess> {
    const callers = await freePort();
    return new ServiceProcess(name, { callers, operations: await freePort(new Set([callers])) }, env, options);
  }

  /** Undefined while nothing listens at the address. */
  async readiness(url = this.operationsUrl): Promise<ReadinessReport | undefined> {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response === undefined) return undefined;
    const { not_ready, degraded } = (await response.json()) as Record<'not_ready' | 'degraded', { name: string }[]>;
    const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).sort();
    return { status: response.status, missing: names(not_ready), degraded: names(degraded) };
  }

  waitUntilReady(): Promise<void> {
    const isReady = async () => (await fetch(`${this.operationsUrl}/readyz`).catch(() => undefined))?.status === 200;
    return eventually(isReady, 40_000);
  }

  isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends it with SIGTERM, as an orchestrator does; resolves with exit code and signal. */
  stop(): Promise<unknown> {
    this.process.kill('SIGTERM');
    return this.exited;
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
