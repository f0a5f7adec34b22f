/** Runs lines of the documents in bash, as their reader does. */
import { startProcessGroup } from './process-group.ts';

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Of a command that does not end by itself: it is interrupted once it has printed this. */
  readonly until?: RegExp;
  /** Interrupts a command that does not end by itself. */
  readonly endedBy?: AbortSignal;
}

export interface Printed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function runShell(code: string, { cwd, env, input = '', until, endedBy }: ShellOptions): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = startProcessGroup('bash', ['-eo', 'pipefail', '-c', code], { cwd, env });
    let out = '';
    let err = '';
    let isInterrupted = false;
    const interrupt = (): void => {
      if (isInterrupted || child.exitCode !== null) return;
      isInterrupted = true;
      process.kill(-(child.pid as number), 'SIGINT');
    };
    endedBy?.addEventListener('abort', interrupt);
    child.on('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (until?.test(out) === true) interrupt();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    // A command that reads no input closes it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (exitCode) => resolve({ code: exitCode, out, err }));
  });
}

/** What it printed; fails where it ended otherwise than expected. */
export async function runDone(code: string, options: ShellOptions): Promise<string> {
  const printed = await runShell(code, options);
  requireDone(code, printed, options);
  return printed.out;
}

/** As `runDone`, of one command. Where it asks for a confirmation, it gets the one of a script. */
export async function runCommand(line: string, expected: ShellOptions & { readonly code?: number }): Promise<string> {
  const printed = await runShell(line, expected);
  if (printed.code === 2 && /There is no terminal to confirm this on; add --yes/.test(printed.err))
    return runCommand(`${line} --yes`, expected);
  requireDone(line, printed, expected);
  return printed.out;
}

function requireDone(
  shown: string,
  { code, out, err }: Printed,
  { until, endedBy, code: expected = 0 }: ShellOptions & { readonly code?: number },
): void {
  if (endedBy?.aborted === true || (until === undefined ? code === expected : until.test(out))) return;
  const wanted = until === undefined ? `exit code ${expected}` : `output like ${until}`;
  throw new Error(`${shown}\nended with ${code}; expected ${wanted}. It printed\n${out}\n${err}`);
}
