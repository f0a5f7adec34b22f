/** A browser as the server sees it: cookies and forms over plain HTTP. */
import { request as send } from 'node:http';
import { csrfToken, newToken } from '#libs/people/secret-tokens.ts';
import { testEnvironment } from '../support/tenant.ts';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly setCookies: readonly string[];
}

interface VisitorOptions {
  /** Of a signed-in person. */
  readonly session?: string;
  /** On this machine: each address of 127.0.0.0/8 is another one for the console. */
  readonly address?: string;
  readonly url?: string;
}

export class ConsoleVisitor {
  readonly cookies = new Map<string, string>();
  readonly #options: VisitorOptions;

  constructor(options: VisitorOptions = {}) {
    this.#options = options;
    if (options.session === undefined) this.cookies.set('lending_visitor', newToken());
    else this.cookies.set('lending_session', options.session);
  }

  /** That of the forms of this browser. */
  get csrf(): string {
    return csrfToken(this.cookies.get('lending_session') ?? this.cookies.get('lending_visitor') ?? '');
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ConsoleAnswer> {
    return this.#send('GET', path, headers, undefined);
  }

  /** A form with the token of this browser, unless another one is given. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ConsoleAnswer> {
    const body = new URLSearchParams({ _csrf: this.csrf, ...fields }).toString();
    return this.#send('POST', path, { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body);
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<ConsoleAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { address, url = testEnvironment().services.consoleUrl } = this.#options;
    const options = {
      method,
      headers: { ...headers, Cookie: cookie },
      ...(address === undefined ? {} : { localAddress: address }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = send(url + path, options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const setCookies = response.headers['set-cookie'] ?? [];
        this.#store(setCookies);
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, setCookies });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  #store(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
