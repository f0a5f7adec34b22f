/** `lending call`: sends one signed request and prints the response. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { callerSettings, RetryNotice, sendSigned } from './caller.ts';
import { UsageError } from './command.ts';
import { indentJson } from './indent-json.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** All routes with these methods read a body. */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT']);
const methodsWithoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function addCallCommand(program: Command): void {
  program
    .command('call')
    .description('send one signed request to LENDING_URL with the secret LENDING_KEY')
    .addArgument(new Argument('<method>', methods.join(', ')).argParser(parseMethod))
    .addArgument(new Argument('<path>', 'such as /v1/tenants/demo/bounds').argParser(parsePath))
    .argument('[body]', 'JSON')
    .option('--pretty', 'indent the response, as on a terminal')
    .addHelpText(
      'after',
      '\nThe status is printed on standard error, the response on standard output. Exit code 1 for a status of 400 and more.',
    )
    .action(runCall);
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

async function runCall(
  method: string,
  target: string,
  body: string | undefined,
  { pretty = false }: { readonly pretty?: boolean },
): Promise<void> {
  if (methodsWithBody.has(method) && body === undefined) throw new UsageError(`${method} needs a body; add it as JSON`);
  if (methodsWithoutBody.has(method) && body !== undefined) throw new UsageError(`${method} takes no body; remove it`);
  const settings = callerSettings();
  const { status, text } = await new RetryNotice(settings.baseUrl).during(
    sendSigned(settings, method, target, { body }).then(readResponse),
  );
  console.error(status);
  // Piped output stays byte for byte as it was received.
  console.log(pretty || process.stdout.isTTY ? indentJson(text) : text);
  if (status >= 400) process.exitCode = 1;
}

async function readResponse(response: Response): Promise<{ readonly status: number; readonly text: string }> {
  return { status: response.status, text: await response.text() };
}
