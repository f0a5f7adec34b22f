/** Runs the `lending` command line in a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { formatSecret, type Signer } from '#libs/auth/signer.ts';
import { eventually, type Tenant, testEnvironment } from '#test/support/tenant.ts';

export type CliResult = { readonly code: number | null; readonly out: string; readonly err: string };

export class CliProcess {
  readonly process: ChildProcessWithoutNullStreams;
  readonly result: Promise<CliResult>;
  out = '';
  err = '';

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
    const main = [...flags, join(projectDir, 'libs', 'cli', 'main.ts')];
    this.process = spawn(process.execPath, [...main, ...args], {
      // The profiles of the person who runs the tests are not read.
      env: { ...process.env, LENDING_CONFIG: join(projectDir, '.data', 'no-profiles.json'), ...env },
    });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.result = once(this.process, 'close').then(([code]) => ({ code, out: this.out, err: this.err }));
  }

  get lines(): string[] {
    return this.out.split('\n').slice(0, -1);
  }

  /** Waits for a condition on the output; fails with the output if the process exits first. */
  async waitForOutput(condition: () => boolean): Promise<void> {
    await eventually(() => {
      const hasExited = this.process.exitCode !== null || this.process.signalCode !== null;
      if (hasExited && !condition()) throw new Error(`exited before the expected output: ${this.out}\n${this.err}`);
      return condition();
    });
  }
}

/** Below the test timeout, so that a command that hangs prints its diagnostic report first. */
const commandTimeoutMs = 45_000;
const reportSignal = 'SIGUSR2';
const reportFlags = ['--report-on-signal', `--report-signal=${reportSignal}`, '--report-filename=stderr'];

/**
 * Runs a command with the addresses and rights of an operator. One that outlives the timeout writes a diagnostic report and
 * is killed.
 */
export async function runAdminCommand(...args: string[]): Promise<CliResult> {
  const command = new CliProcess(args, operatorEnvironment(testEnvironment().stack), reportFlags);
  const timer = setTimeout(() => {
    command.process.kill(reportSignal);
    setTimeout(() => command.process.kill('SIGKILL'), 5_000).unref();
  }, commandTimeoutMs);
  const result = await command.result;
  clearTimeout(timer);
  if (result.code === null) throw new Error(`${args.join(' ')} did not exit: ${result.out}\n${result.err}`);
  return result;
}

/** The environment variables of a caller: address, key and Tenancy. */
export function callerEnvironment(tenant: Tenant, signer: Signer = tenant.signer): Record<string, string> {
  return {
    LENDING_URL: testEnvironment().services.baseUrl,
    LENDING_KEY: formatSecret({ environment: 'test', seed: signer.seed }),
    LENDING_TENANT: tenant.id,
  };
}

export function startCallerCommand(tenant: Tenant, ...args: string[]): CliProcess {
  return new CliProcess(args, callerEnvironment(tenant));
}
