/** Runs commands of the built image as a container runtime does: its file system read-only, its user, no other files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface RuntimeConfig {
  readonly process: {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: readonly string[];
    readonly user: { readonly uid: number; readonly gid: number };
  };
}

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
}

export class ImageContainer {
  readonly #bwrap: string;
  readonly #bundle: string;
  readonly #config: RuntimeConfig['process'];

  /** The bundle is what `umoci unpack` made of the image: its files, and its settings as a runtime reads them. */
  constructor(bwrap: string, bundle: string) {
    this.#bwrap = bwrap;
    this.#bundle = bundle;
    this.#config = (JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as RuntimeConfig).process;
  }

  get uid(): number {
    return this.#config.user.uid;
  }

  /** `args` replace the default command of the image, as they do in every runtime. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const { user, cwd } = this.#config;
    const imageEnv = this.#config.env.map((entry) => [
      entry.slice(0, entry.indexOf('=')),
      entry.slice(entry.indexOf('=') + 1),
    ]);
    const variables: Record<string, string> = { ...Object.fromEntries(imageEnv), ...env };
    const settings = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
    const isolation = ['--unshare-user', '--unshare-pid', '--die-with-parent', '--clearenv', '--cap-drop', 'ALL'];
    const identity = ['--uid', String(user.uid), '--gid', String(user.gid), '--chdir', cwd];
    const files = [
      '--ro-bind',
      join(this.#bundle, 'rootfs'),
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/tmp',
    ];
    const command = [...this.#entrypoint(), ...args];
    return spawn(this.#bwrap, [...isolation, ...identity, ...files, ...settings, '--', ...command], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>>, input = ''): Promise<CommandResult> {
    const child = this.start(args, env);
    child.stdin?.end(input);
    if (child.stdout === null) throw new Error('the output of the container is not piped');
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code: child.exitCode, out };
  }

  /** All arguments of the image up to its default command, which begins at the script or the first option of V8. */
  #entrypoint(): readonly string[] {
    const { args } = this.#config;
    return args.slice(
      0,
      args.findIndex((argument) => argument.endsWith('.ts')),
    );
  }
}
