/** One service as a process of a journey's own, beside those of the house. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';
import { freePort } from '#deploy/stack/ports.ts';
import { eventually } from './tenant.ts';

export interface Readiness {
  readonly status: number;
  readonly missing: readonly string[];
}

export class LoneService {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  /** Where it tells its health and its figures. */
  readonly operations: string;
  /** Code and signal of its end. */
  readonly ended: Promise<unknown>;

  private constructor(name: string, ports: { callers: number; operations: number }, env: Record<string, string>) {
    this.port = ports.callers;
    this.baseUrl = `http://127.0.0.1:${ports.callers}`;
    this.operations = `http://127.0.0.1:${ports.operations}`;
    this.process = spawn(process.execPath, [join(projectDir, 'services', name, 'main.ts')], {
      stdio: 'ignore',
      env: { ...process.env, ...env, PORT: String(ports.callers), METRICS_PORT: String(ports.operations) },
    });
    this.ended = once(this.process, 'exit');
  }

  static async start(name: string, env: Record<string, string>): Promise<LoneService> {
    const callers = await freePort();
    return new LoneService(name, { callers, operations: await freePort(new Set([callers])) }, env);
  }

  /** Undefined while nothing listens there. */
  async readiness(url = this.operations): Promise<Readiness | undefined> {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer === undefined) return undefined;
    const { not_ready } = (await answer.json()) as { not_ready: { name: string }[] };
    return { status: answer.status, missing: not_ready.map(({ name }) => name).sort() };
  }

  untilReady(): Promise<void> {
    return eventually(async () => (await this.readiness())?.status === 200, 40_000);
  }

  isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** As whoever runs it ends it; resolves with code and signal. */
  stop(): Promise<unknown> {
    this.process.kill('SIGTERM');
    return this.ended;
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
