/** The cases that every SDK passes. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import {
  closeConnection,
  instantClock,
  refuseWith,
  replyWith,
  type ScriptedReply,
  type ScriptedService,
  startScriptedService,
} from '../testing/scripted-service.ts';
import type { RefusalError, UnreachableError } from './errors.ts';
import { Lending } from './lending-sdk.ts';

interface WantedCall {
  readonly route?: string;
  readonly list?: string;
  readonly parameters: object;
  readonly body?: object;
  readonly caller_request_id?: string;
  readonly idempotency_key?: string;
  readonly if_none_match?: string;
}

interface StatedReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly close?: true;
  readonly refusal?: { readonly status: number; readonly code: string; readonly retry: string };
}

interface SharedCase {
  readonly name: string;
  readonly call: WantedCall;
  readonly patience?: {
    readonly within_ms: number;
    readonly first_pause_ms: number;
    readonly longest_pause_ms: number;
  };
  readonly replies: readonly StatedReply[];
  readonly requests?: readonly {
    readonly method: string;
    readonly target: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string | null>>;
  }[];
  readonly request_count?: number;
  readonly pauses?: readonly number[];
  readonly answer?: { readonly status: number; readonly body?: unknown };
  readonly items?: readonly unknown[];
  readonly failure?: Readonly<Record<string, unknown>>;
}

const file = new URL('../../../test/vectors/sdk-requests.json', import.meta.url);
const { key, cases } = JSON.parse(readFileSync(file, 'utf8')) as { key: string; cases: readonly SharedCase[] };

let service: ScriptedService;
afterEach(() => service.close());

test.each(cases.map((each) => [each.name, each] as const))('%s', async (_, one) => {
  service = await startScriptedService(...one.replies.map(replyOf));
  const clock = instantClock();
  const { within_ms: withinMs, first_pause_ms: firstPauseMs, longest_pause_ms: longestPauseMs } = one.patience ?? {};
  const patience = withinMs === undefined ? undefined : { withinMs, firstPauseMs, longestPauseMs };
  const lending = new Lending({
    baseUrl: service.baseUrl,
    tenant: 'acme',
    key,
    clock,
    ...(patience === undefined ? {} : { patience: patience as never }),
  });

  if (one.items !== undefined) expect(await itemsOf(lending, one.call)).toEqual(one.items);
  else if (one.answer !== undefined) expect(await ask(lending, one.call)).toMatchObject(one.answer);
  else checkFailure(one.failure ?? {}, await ask(lending, one.call).catch((cause: unknown) => cause));

  if (one.pauses !== undefined) expect(clock.pauses).toEqual(one.pauses);
  if (one.request_count !== undefined) expect(service.sent).toHaveLength(one.request_count);
  const sent = service.sent.map(({ method, target, headers, body }, at) => {
    const { body: expectedBody, headers: expectedHeaders = {} } = one.requests?.[at] ?? {};
    const names = Object.keys(expectedHeaders);
    return {
      method,
      target,
      ...(expectedBody === undefined ? {} : { body: JSON.parse(body) as unknown }),
      ...(names.length === 0
        ? {}
        : { headers: Object.fromEntries(names.map((name) => [name, headers[name] ?? null])) }),
    };
  });
  if (one.requests !== undefined) expect(sent).toEqual(one.requests);
});

function ask(lending: Lending, { route, parameters, body, ...options }: WantedCall) {
  const { caller_request_id, idempotency_key, if_none_match } = options;
  return lending.ask(route as 'readLoan', parameters as never, body as never, {
    ...(caller_request_id === undefined ? {} : { callerRequestId: caller_request_id }),
    ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
    ...(if_none_match === undefined ? {} : { ifNoneMatch: if_none_match }),
  });
}

async function itemsOf(lending: Lending, { list, parameters, body }: WantedCall): Promise<unknown[]> {
  const items: unknown[] = [];
  const listing = lending.list(
    list as 'rehearse',
    parameters as never,
    body === undefined ? {} : { body: body as never },
  );
  for await (const item of listing) items.push(item);
  return items;
}

function checkFailure(expected: Readonly<Record<string, unknown>>, failure: unknown): void {
  const { kind, message, remedy, outcome_unknown, request_id, retry_after, ...same } = expected;
  const { outcomeUnknown, requestId, retryAfter, ...error } = failure as RefusalError & UnreachableError;
  expect((failure as Error).name).toBe(kind === 'refusal' ? 'RefusalError' : 'UnreachableError');
  expect(error).toMatchObject(same);
  expect((failure as Error).message).toContain(message ?? '');
  const renamed = { outcome_unknown: outcomeUnknown, request_id: requestId, retry_after: retryAfter };
  for (const [name, value] of Object.entries({ outcome_unknown, request_id, retry_after }))
    if (value !== undefined) expect(renamed).toHaveProperty(name, value);
  if (remedy === null) expect(error.remedy).toBeUndefined();
  else if (remedy !== undefined) expect(error.remedy).toContain(remedy);
}

function replyOf({ status = 0, body, text, headers = {}, close, refusal }: StatedReply): ScriptedReply {
  if (close === true) return closeConnection;
  if (refusal !== undefined) {
    const { status: refused, code, retry, ...more } = refusal;
    return refuseWith(refused, code, retry, more);
  }
  if (body !== undefined) return replyWith(status, body, headers);
  return (_, response) => response.writeHead(status, headers).end(text);
}
