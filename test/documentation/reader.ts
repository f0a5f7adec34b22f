/** The reader of the documents: works in a folder beside a clone of the repository, in which `npm start` runs. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseSigner, type Signer } from '#libs/auth/signer.ts';
import { Lending } from '#libs/sdk/src/lending.ts';
import { blockOf, type CodeBlock } from './code-blocks.ts';
import { recordBlocks } from './executed-code.ts';
import { runDone, type ShellOptions } from './shell.ts';

/** What `.data/dev.json` says. */
export interface DevelopmentStart {
  readonly base_url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly kafka_brokers: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export class Reader {
  /** The clone; its folder has the name that the documents give it. */
  readonly repository: string;
  readonly start: DevelopmentStart;
  /** Without a login of the machine: its profiles and completion scripts are left alone. */
  readonly env: Environment;
  readonly home: string;
  readonly lending: Lending;
  readonly secret: string;
  readonly signer: Signer;
  /** Taken from a document, and not yet run. */
  #pending: CodeBlock[] = [];

  constructor(repository: string, start: DevelopmentStart, env: Environment) {
    this.repository = repository;
    this.start = start;
    this.secret = start.keys['write'] as string;
    this.signer = parseSigner(this.secret) as Signer;
    this.lending = new Lending({ baseUrl: start.base_url, tenant: 'demo', key: this.secret });
    this.home = mkdtempSync(join(dirname(repository), 'home-'));
    const bin = join(this.home, 'bin');
    mkdirSync(bin);
    // As `npm link` installs it.
    symlinkSync(join(repository, 'deploy', 'dev', 'lending'), join(bin, 'lending'));
    const path = [bin, dirname(process.execPath), env['PATH']].join(delimiter);
    this.env = { ...env, PATH: path, NO_COLOR: '1', LENDING_CONFIG: join(this.home, 'no-profiles.json') };
  }

  /** The only block that begins so. */
  block(file: string, beginning: string): string {
    const block = blockOf(file, beginning);
    this.#pending.push(block);
    return block.code;
  }

  /** The blocks taken since the last time have been run. */
  recordRun(): void {
    recordBlocks('run', ...this.#pending);
    this.#pending = [];
  }

  /** A folder beside the repository, with the files that the document has the reader save there. */
  folder(name: string, files: Readonly<Record<string, string>> = {}): string {
    const folder = join(dirname(this.repository), name);
    mkdirSync(folder, { recursive: true });
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
    return folder;
  }

  /** Runs blocks one after the other in one terminal. */
  async terminal(blocks: readonly string[], options: Partial<Omit<ShellOptions, 'env'>> = {}): Promise<string> {
    const printed = await runDone(blocks.join('\n'), { cwd: this.repository, env: this.env, ...options });
    this.recordRun();
    return printed;
  }
}
