/** The command line as a person runs it: a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';
import { operatorsEnvironmentOf } from '#deploy/start/house.ts';
import { formatSecret } from '#libs/auth/secret.ts';
import type { Signer } from '#libs/auth/sign.ts';
import { eventually, house, type Tenant } from '#test/integration/tenant.ts';

export type Done = { readonly code: number | null; readonly out: string; readonly err: string };

export class Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly done: Promise<Done>;
  out = '';
  err = '';

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
    const main = [...flags, '--disable-warning=TimeoutNegativeWarning', join(projectDir, 'libs', 'cli', 'main.ts')];
    this.process = spawn(process.execPath, [...main, ...args], { env: { ...process.env, ...env } });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.done = once(this.process, 'close').then(([code]) => ({ code, out: this.out, err: this.err }));
  }

  get lines(): string[] {
    return this.out.split('\n').slice(0, -1);
  }

  /** Awaits what it is to print; where it ends before, what it said tells why. */
  async prints(condition: () => boolean): Promise<void> {
    await eventually(() => {
      const isOver = this.process.exitCode !== null || this.process.signalCode !== null;
      if (isOver && !condition()) throw new Error(`ended without it: ${this.out}\n${this.err}`);
      return condition();
    });
  }
}

/** Before the test that waits for it is given up, which would tell nothing. */
const endsWithinMs = 45_000;
const reportSignal = 'SIGUSR2';
const reporting = ['--report-on-signal', `--report-signal=${reportSignal}`, '--report-filename=stderr'];

/** What a person administers a cell with. */
export function administering(...args: string[]): Promise<Done> {
  return administeringWithin(endsWithinMs, ...args);
}

/** A command that does not end by then tells where it stands, and is ended. */
export async function administeringWithin(ms: number, ...args: string[]): Promise<Done> {
  const running = new Running(args, operatorsEnvironmentOf(house().stack), reporting);
  const late = setTimeout(() => {
    running.process.kill(reportSignal);
    setTimeout(() => running.process.kill('SIGKILL'), 5_000).unref();
  }, ms);
  const done = await running.done;
  clearTimeout(late);
  if (done.code === null) throw new Error(`${args.join(' ')} did not end: ${done.out}\n${done.err}`);
  return done;
}

/** What a caller is told of where to and as whom. */
export function callersEnvironment(tenant: Tenant, signer: Signer = tenant.signer): Record<string, string> {
  return {
    LENDING_URL: house().services.baseUrl,
    LENDING_KEY: formatSecret({ environment: 'test', seed: signer.secretKey.subarray(0, 32) }),
    LENDING_TENANT: tenant.id,
  };
}

export function calling(tenant: Tenant, ...args: string[]): Running {
  return new Running(args, callersEnvironment(tenant));
}
