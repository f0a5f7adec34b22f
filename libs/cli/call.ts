/** One signed request, as any caller would send it: for a first look, and to see what a signature is made of. */
import { authorize, signerFromText } from '#libs/auth/sign.ts';
import { unansweredBecause } from './caller.ts';
import { type Command, must, type Typed, UsageError } from './command.ts';
import { indented } from './indented.ts';
import { StillTrying } from './still-trying.ts';

export const sendCall: Command = {
  usage: 'call METHOD PATH [BODY] [--pretty]',
  what: 'sends one signed request to LENDING_URL with the secret LENDING_KEY',
  needs: 'service',
  more: `The status is told on standard error, the answer on standard output: indented on a terminal and under --pretty, else as
it came. Exit 1 where it was refused.`,
  options: { pretty: 'flag' },
  run: callOnce,
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Every route under one of these reads a body. */
export const mustHaveBody: ReadonlySet<string> = new Set(['POST', 'PUT']);
const canHaveNone: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export type Call = {
  readonly baseUrl: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly nowMs: number;
};

export type Called = { readonly status: number; readonly text: string };

export async function call({ baseUrl, secret, method, target, body, nowMs }: Call): Promise<Called> {
  const signer = signerFromText(secret);
  if (signer === undefined) throw new Error('LENDING_KEY is no secret of a key: lsk_test_… or lsk_live_…');
  const answer = await fetch(baseUrl + target, {
    method,
    headers: {
      Authorization: authorize(signer, { method, target, body, nowMs }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  }).catch((cause: unknown) => {
    throw unansweredBecause(baseUrl, cause);
  });
  return { status: answer.status, text: await answer.text() };
}

/** The status on standard error, so that what is on standard output is the answer alone. */
async function callOnce({ positionals, options }: Typed): Promise<void> {
  const { LENDING_URL: baseUrl, LENDING_KEY: secret } = process.env;
  const asked = askedBy(positionals);
  if (!baseUrl || !secret)
    throw new UsageError('LENDING_URL and LENDING_KEY say where to and as whom; npm start sets both while it runs');
  const answer = await new StillTrying(baseUrl).during(call({ baseUrl, secret, ...asked, nowMs: Date.now() }));
  console.error(answer.status);
  // What a program reads is left as it came: it may be kept, or compared.
  console.log(options['pretty'] === true || process.stdout.isTTY ? indented(answer.text) : answer.text);
  if (answer.status >= 400) process.exitCode = 1;
}

function askedBy([typed, target, body]: Typed['positionals']): Pick<Call, 'method' | 'target' | 'body'> {
  // Sent in capitals whatever is typed, so it has to be signed in capitals.
  const method = must(typed, 'METHOD').toUpperCase();
  if (!methods.includes(method)) {
    const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(methods);
    throw new UsageError(`METHOD is ${listed}: not "${typed}"`);
  }
  if (!must(target, 'PATH').startsWith('/')) {
    throw new UsageError(`PATH begins with /, as in /v1/tenants/demo/bounds: not "${target}"`);
  }
  if (mustHaveBody.has(method)) must(body, 'BODY');
  if (canHaveNone.has(method) && body !== undefined) throw new UsageError(`${method} takes no BODY`);
  return { method, target: String(target), body };
}
