/** Defines `lending call`. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { CallOptions } from '../call.ts';
import { describeCommand } from '../command.ts';
import { addRequestOptions } from './caller-options.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function addCallCommand(program: Command): void {
  const call = program
    .command('call')
    .description('send one signed request and print the response')
    .addArgument(new Argument('<method>', methods.join(', ')).argParser(parseMethod))
    .addArgument(new Argument('<path>', 'such as /v1/tenants/demo/bounds').argParser(parsePath))
    .argument('[body]', 'JSON; @file reads a file, - standard input')
    .option('--idempotency-key <key>', 'makes a repeat of a write without a reference safe; signed with the request')
    .option('--pretty', 'indent the response, as on a terminal');
  const patience =
    'how long a request is sent again while the service cannot be reached or is busy, such as 30s (default: sent once)';
  addRequestOptions(call, patience).action(
    async (method: string, path: string, body: string | undefined, options: CallOptions) =>
      (await import('../call.ts')).runCall(method, path, body, options),
  );
  describeCommand(call, {
    effect: 'reversible',
    examples: [
      'call GET /v1/tenants/demo/bounds',
      `call PUT /v1/tenants/demo/clients/eva '{"actor":"me","basis":"application form"}'`,
      'call POST /v1/tenants/demo/loans @loan.json --contract-version 2026-10-15',
      'call POST /v1/tenants/demo/product-configurations @product.json --idempotency-key product-7',
    ],
    details: `
The status is printed on standard error, the response on standard output: as it was received where the output is not a
terminal. Exit code 1 for a status of 400 and more; what to do about the refusal is printed on standard error, too.

With --patience a request is sent again where the connection could not be opened, and where it was refused as busy (429).
A request that was sent and got no response is not: without a reference it might be recorded twice.`,
  });
}

function parseMethod(value: string): string {
  const method = value.toUpperCase();
  if (methods.includes(method)) return method;
  throw new InvalidArgumentError(`Expected one of ${methods.join(', ')}.`);
}

function parsePath(value: string): string {
  if (value.startsWith('/')) return value;
  throw new InvalidArgumentError('Expected a path that begins with /, such as /v1/tenants/demo/bounds.');
}
