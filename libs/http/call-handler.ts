/** The last steps of the pipeline: they call the handler of the route and render its answer for the requested version. */

import type { Request } from 'express';
import type { ContractRules } from '#libs/api/apply-contract-changes.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type {
  AuthorizedRequest,
  IdempotencyGuard,
  PublicRequest,
  RouteHandler,
  RouteResult,
} from '#libs/http/handler.ts';
import { HandlerDeadline } from '#libs/http/handler-deadline.ts';
import { type PipelineStep, refusalOfError } from '#libs/http/middleware.ts';
import { fieldRefusal } from '#libs/http/parse-request.ts';
import { type RequestContext, required } from '#libs/http/request-context.ts';
import { withRequestTrace } from '#libs/http/request-trace.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

type HandlersByName = { readonly [Name in RouteName]?: RouteHandler<never> };

export function callPublicHandler(handlers: HandlersByName): PipelineStep {
  return async (context) => {
    const { name } = required(context.route, 'route');
    const { requestId, callerRequestId, version, receivedAt, timing, path } = context;
    const request: PublicRequest = {
      route: name,
      path,
      requestId,
      callerRequestId,
      version,
      receivedAt,
      timing,
      header: (header) => context.header(header),
      // Express has extended it.
      acceptsEncoding: (encoding) => (context.request as Request).acceptsEncodings(encoding) === encoding,
    };
    const handler = required(handlers[name], 'handler') as RouteHandler<PublicRequest>;
    return withRequestTrace(context, () => handler(request));
  };
}

export interface CallHandlerOptions {
  readonly handlers: HandlersByName;
  readonly handlerTimeoutMs: number;
  /** Without it `Idempotency-Key` is read and no outcome is stored. */
  readonly idempotency: IdempotencyGuard | undefined;
}

export function callHandler({ handlers, handlerTimeoutMs, idempotency }: CallHandlerOptions): PipelineStep {
  const deadline = new HandlerDeadline(handlerTimeoutMs);
  const call = async (context: RequestContext, request: AuthorizedRequest): Promise<RouteResult> => {
    const refusal = fieldRefusal(request);
    if (refusal) return refusal;
    const handler = required(handlers[request.route], 'handler') as RouteHandler<AuthorizedRequest>;
    return withRequestTrace(context, () => handler(request));
  };
  return (context) => {
    const request = required(context.authorizedRequest, 'authorized request');
    if (idempotency === undefined || !hasIdempotencyKey(request)) return deadline.enforce(call(context, request));
    const outcome = idempotency({
      request,
      execute: () => call(context, request).catch((thrown: unknown) => outcomeOfError(context, thrown)),
      setHeader: (name, value) => {
        context.responseHeaders[name] = value;
      },
    });
    return deadline.enforce(outcome);
  };
}

/** Every route that reads the key has a body that is a JSON object. */
function hasIdempotencyKey(
  request: AuthorizedRequest,
): request is AuthorizedRequest<JsonObject> & { readonly idempotencyKey: string } {
  return request.idempotencyKey !== undefined;
}

/** A fault of the service is an outcome of the key like any other; an unavailable dependency is not. */
function outcomeOfError(context: RequestContext, thrown: unknown): RouteResult {
  if (thrown instanceof DependencyUnavailableError) throw thrown;
  context.cause = thrown;
  return refusalOfError(thrown);
}

/** The step itself if no version renders an answer differently. */
export function renderForVersion(rules: ContractRules, step: PipelineStep): PipelineStep {
  if (!rules.rendersAnswers) return step;
  return async (context) => {
    const result = await step(context);
    return result === undefined ? undefined : rendered(rules, context, result);
  };
}

function rendered(rules: ContractRules, context: RequestContext, result: RouteResult): RouteResult {
  if (isRefusal(result)) return result;
  const { route, version, receivedAt, query, body } = required(context.authorizedRequest, 'authorized request');
  const request = { route, version, at: receivedAt, query, body };
  if (!rules.needsRendering(request)) return result;
  if (result.stream?.isActive === true)
    throw new Error(`${route}: an answer in parts cannot be rendered for a version`);
  const { text = result.body === undefined ? undefined : JSON.stringify(result.body), ...rest } = result;
  if (text === undefined) return result;
  const answer = JSON.parse(text) as Json;
  const outcome = rules.renderAnswer(request, answer);
  if (isRefusal(outcome)) return outcome;
  context.announce(outcome.windows);
  return outcome.answer === answer ? result : { ...rest, body: outcome.answer };
}
