/** `npm start` in a copy of the repository, as its reader runs it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentPartitions, projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { eventually } from '#test/support/tenant.ts';
import { codeBlock } from './code-blocks.ts';
import { startProcessGroup } from './process-group.ts';
import { type DevelopmentStart, Reader } from './reader.ts';

const copiedEntries = ['package.json', 'package-lock.json', 'deploy', 'libs', 'services', 'schemas', '.gitignore'];
const startTimeoutMs = 400_000;
/** The two lines of the first block of the README: one starts the service, the other runs the tests. */
export const [startLine = '', testLine = ''] = codeBlock('README.md', 'npm start').split('\n');

/** Without variables that name services: the start would use these services. */
const serviceVariables = /^(KAFKA_|SCHEMA_REGISTRY_URL|DATABASE_|REDIS_URL|LENDING_|PORT$)/;

interface DevFile extends DevelopmentStart {
  console_url: string;
  sign_in_url: string;
  tenant_id: string;
  processes: Record<string, number>;
}

export class RepositoryCopy {
  readonly environment: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !serviceVariables.test(name))),
    // With Docker a second start would find the containers of the first.
    DOCKER_HOST: 'unix:///nowhere/docker.sock',
  };
  /** Outside of this repository: npm would install the SDK into its package. */
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'lending-start-')));
  /** The documents call the folder of the repository so. */
  readonly folder = join(this.#root, 'lending');
  #npm: ChildProcess | undefined;
  #output = '';

  constructor() {
    mkdirSync(join(this.folder, '.data'), { recursive: true, mode: 0o755 });
    for (const entry of copiedEntries) cpSync(join(projectDir, entry), join(this.folder, entry), { recursive: true });
    // The downloads of npm and Maven are reused.
    symlinkSync(join(projectDir, 'node_modules'), join(this.folder, 'node_modules'));
    mkdirSync(join(projectDir, '.data', 'lib'), { recursive: true });
    symlinkSync(join(projectDir, '.data', 'lib'), join(this.folder, '.data', 'lib'));
  }

  /** What the running start has printed. */
  get output(): string {
    return this.#output;
  }

  readDevFile(): DevFile {
    return JSON.parse(readFileSync(join(this.folder, '.data', 'dev.json'), 'utf8')) as DevFile;
  }

  async startService(): Promise<Reader> {
    const variables = { PORT: String(await freePort()), LENDING_PARTITIONS: String(developmentPartitions) };
    await this.start(startLine, 'Ready in', variables);
    return new Reader(this.folder, this.readDevFile(), this.environment);
  }

  async start(command: string, ready: string, variables: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#output = '';
    const npm = startProcessGroup('bash', ['-c', `exec ${command}`], {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
    });
    npm.stdin.end();
    this.#npm = npm;
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    await eventually(async () => this.#output.includes(ready) || hasEnded(npm), startTimeoutMs);
    if (hasEnded(npm)) throw new Error(this.#output);
  }

  async interrupt(): Promise<void> {
    const npm = this.#npm;
    if (npm === undefined || hasEnded(npm)) return;
    process.kill(-(npm.pid as number), 'SIGINT');
    await once(npm, 'exit');
  }

  async remove(): Promise<void> {
    await this.interrupt();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
