/** A certificate authority made on the spot, and a certificate per server that it signed. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Certificate = {
  readonly certificate: string;
  /** PKCS 8, without a password. */
  readonly key: string;
  /** Both in one file, as Kafka reads them. */
  readonly bundle: string;
};

export class CertificateAuthority {
  readonly file: string;
  readonly #dir: string;
  readonly #keyFile: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(dir: string, faketime: string | undefined) {
    this.#dir = dir;
    // Valid since yesterday: a server whose clock is behind must accept certificates that were issued just now.
    this.#env = faketime === undefined ? process.env : { ...process.env, LD_PRELOAD: faketime, FAKETIME: '-1d' };
    this.file = join(dir, 'ca.pem');
    this.#keyFile = join(dir, 'ca.key');
  }

  /** `faketime` is the library that shifts a clock. Without it certificates are valid from now on. */
  static async open(dir: string, faketime?: string): Promise<CertificateAuthority> {
    mkdirSync(dir, { recursive: true });
    const authority = new CertificateAuthority(dir, faketime);
    if (!existsSync(authority.file)) await authority.#create();
    return authority;
  }

  filesOf(name: string): Certificate {
    const path = (kind: string): string => join(this.#dir, `${name}.${kind}`);
    return { certificate: path('pem'), key: path('key'), bundle: path('bundle.pem') };
  }

  /** Unless an earlier run has issued it. */
  async issueOnce(name: string): Promise<void> {
    if (!existsSync(this.filesOf(name).key)) await this.issue(name);
  }

  /** For a server or a login on this machine. Replaces an earlier one; it is used after the files were read again. */
  async issue(name: string): Promise<Certificate> {
    const files = this.filesOf(name);
    const request = join(this.#dir, `${name}.csr`);
    const extensions = join(this.#dir, `${name}.ext`);
    writeFileSync(
      extensions,
      `subjectAltName=DNS:localhost,DNS:${name},IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n`,
    );
    const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    await this.#openssl([
      'req',
      '-new',
      ...keyOptions,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${files.key}.new`,
      '-out',
      request,
    ]);
    // Random: a counter in a file would be shared by certificates that are issued at the same time.
    const serial = `0x${randomBytes(16).toString('hex')}`;
    const signer = ['-CA', this.file, '-CAkey', this.#keyFile, '-set_serial', serial, '-days', '30'];
    await this.#openssl([
      'x509',
      '-req',
      '-in',
      request,
      ...signer,
      '-extfile',
      extensions,
      '-out',
      `${files.certificate}.new`,
    ]);
    writeFileSync(
      `${files.bundle}.new`,
      readFileSync(`${files.key}.new`, 'utf8') + readFileSync(`${files.certificate}.new`, 'utf8'),
    );
    for (const file of Object.values(files)) {
      chmodSync(`${file}.new`, 0o600);
      renameSync(`${file}.new`, file);
    }
    return files;
  }

  async #openssl(args: readonly string[]): Promise<void> {
    await run('openssl', args, { env: this.#env });
  }

  async #create(): Promise<void> {
    const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', this.#keyFile];
    const args = ['req', '-x509', '-new', ...keyOptions, '-subj', '/CN=lending cluster CA', '-days', '30'];
    await this.#openssl([...args, '-out', `${this.file}.new`]);
    renameSync(`${this.file}.new`, this.file);
  }
}
