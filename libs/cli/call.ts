/** `lending call`: sends one signed request and prints the response. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoResponseError, parseRefusal, pauseMs, RetryNotice, readCallerSettings, sendSigned } from './caller.ts';
import { UsageError } from './command.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { formatRemedy } from './format-error.ts';
import { indentJson } from './output/indent-json.ts';
import { retryAfterSeconds } from './retry-after.ts';

export type CallOptions = CallerCommandOptions & { readonly pretty?: boolean; readonly idempotencyKey?: string };

/** All routes with these methods read a body. */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT']);
const methodsWithoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export async function runCall(
  method: string,
  target: string,
  statedBody: string | undefined,
  options: CallOptions,
): Promise<void> {
  const { pretty = false, json = false, patience = 0, idempotencyKey } = options;
  if (methodsWithBody.has(method) && statedBody === undefined) {
    throw new UsageError(`${method} needs a body; add it as JSON`);
  }
  if (methodsWithoutBody.has(method) && statedBody !== undefined) {
    throw new UsageError(`${method} takes no body; remove it`);
  }
  const settings = readCallerSettings(options);
  const body = await readBody(statedBody);
  const send = () => sendSigned(settings, method, target, { body, idempotencyKey }).then(readResponse);
  const { status, text } = await new RetryNotice(settings.baseUrl).during(sendUntilAccepted(send, patience));
  console.error(status);
  // Piped output stays byte for byte as it was received.
  const isIndented = pretty || (process.stdout.isTTY === true && !json);
  console.log(isIndented ? indentJson(text) : text);
  if (status < 400) return;
  process.exitCode = 1;
  if (!json) for (const line of formatRemedy(parseRefusal(status, text).envelope.code, '')) console.error(line);
}

function readBody(stated: string | undefined): Promise<string | undefined> | string | undefined {
  if (stated === '-') return text(process.stdin);
  return stated?.startsWith('@') === true ? readFile(stated.slice(1), 'utf8') : stated;
}

type CallResponse = { readonly status: number; readonly text: string; readonly retryAfter: number | undefined };

async function readResponse(response: Response): Promise<CallResponse> {
  const { status, headers } = response;
  return { status, text: await response.text(), retryAfter: retryAfterSeconds(headers.get('Retry-After'), Date.now()) };
}

/** Repeats only what was certainly not recorded: a request that was not sent, and one over the limits. */
async function sendUntilAccepted(send: () => Promise<CallResponse>, patienceMs: number): Promise<CallResponse> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    const result = await send().catch((cause: unknown) => {
      if (cause instanceof NoResponseError && cause.failure.isBeforeSending) return cause;
      throw cause;
    });
    const isRefused = result instanceof NoResponseError;
    if (!isRefused && result.status !== 429) return result;
    const pause = pauseMs(attempt, isRefused ? undefined : result.retryAfter);
    if (Date.now() + pause > deadline) {
      if (isRefused) throw result;
      return result;
    }
    await sleep(pause);
  }
}
