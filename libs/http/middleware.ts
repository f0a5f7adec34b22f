/** Runs the steps of the pipeline and turns errors into answers. */
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { RouteResult } from '#libs/http/handler.ts';
import { ClientDisconnectedError, type RequestContext, required } from '#libs/http/request-context.ts';
import { sendResult, sendStream } from '#libs/http/send-response.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** One check or action of the pipeline. Returns undefined to continue, or the result that ends the request. */
export type PipelineStep = (context: RequestContext) => RouteResult | undefined | Promise<RouteResult | undefined>;

/** Called for every answered request, for logs and metrics. `code` is the refusal code, if any; `field` what it is about. */
export interface AnsweredRequest {
  readonly context: RequestContext;
  readonly status: number;
  readonly code: string | undefined;
  readonly field?: string | undefined;
}

export type RequestObserver = (answered: AnsweredRequest) => void;

/** Runs the steps of a request in order and sends the result of the first that has one. Never throws. */
export function runSteps(context: RequestContext, steps: readonly PipelineStep[], observe: RequestObserver): void {
  const onError = (thrown: unknown): void => sendErrorOf(context, thrown, observe);
  try {
    // Synchronous as far as possible: most rejections under load need no promise.
    for (let at = 0; at < steps.length; at += 1) {
      const result = steps[at]?.(context);
      if (result instanceof Promise) {
        void runRest(context, { steps, from: at + 1 }, result).then(
          (final) => finish(context, final, observe),
          onError,
        );
        return;
      }
      if (result !== undefined) {
        finish(context, result, observe);
        return;
      }
    }
    throw new Error('the last step of the pipeline has no result');
  } catch (thrown) {
    onError(thrown);
  }
}

async function runRest(
  context: RequestContext,
  { steps, from }: { readonly steps: readonly PipelineStep[]; readonly from: number },
  pending: Promise<RouteResult | undefined>,
): Promise<RouteResult> {
  let result = await pending;
  for (let at = from; at < steps.length && result === undefined; at += 1) {
    const next = steps[at]?.(context);
    result = next instanceof Promise ? await next : next;
  }
  return required(result, 'result of the last step');
}

/** An error becomes 503 where a dependency is unavailable, otherwise 500. Its text is not sent. */
function sendErrorOf(context: RequestContext, thrown: unknown, observe: RequestObserver): void {
  if (thrown instanceof ClientDisconnectedError) {
    context.releaseAll();
    return;
  }
  context.cause = thrown;
  finish(context, refusalOfError(thrown), observe);
}

export function refusalOfError(thrown: unknown): Refusal {
  return refuse(thrown instanceof DependencyUnavailableError ? 'unavailable' : 'internal_error');
}

function finish(context: RequestContext, result: RouteResult, observe: RequestObserver): void {
  if (!isRefusal(result) && result.stream !== undefined) {
    if (result.stream.isActive !== true) context.releaseAll();
    void observeStream(context, sendStream(context, result, result.stream), observe);
    return;
  }
  context.releaseAll();
  const final = withRetryOfRoute(context, result);
  try {
    sendResult(context, final);
  } catch (thrown) {
    sendError(context, thrown);
  }
  const refused = isRefusal(final) ? { code: final.code, field: fieldOf(final) } : { code: undefined };
  observe({ context, status: context.response.statusCode, ...refused });
}

/** The caller of a stream that fails has read status 200, and sees that the connection ends. */
async function observeStream(context: RequestContext, sending: Promise<void>, observe: RequestObserver): Promise<void> {
  const failure = await sending.then(
    () => undefined,
    (thrown: unknown) => {
      sendError(context, thrown);
      return refusalOfError(thrown);
    },
  );
  context.releaseAll();
  observe({ context, status: failure?.status ?? context.response.statusCode, code: failure?.code });
}

function fieldOf({ details }: Refusal): string | undefined {
  const field = details?.['field'];
  return typeof field === 'string' ? field : undefined;
}

/** For a result that cannot be rendered. */
function sendError(context: RequestContext, thrown: unknown): void {
  context.cause ??= thrown;
  sendResult(context, withRetryOfRoute(context, refusalOfError(thrown)));
}

/** A 500 under an `Idempotency-Key` is stored as the outcome of the key: repeating the request cannot change it. */
function withRetryOfRoute({ route }: RequestContext, result: RouteResult): RouteResult {
  if (!isRefusal(result) || result.code !== 'internal_error') return result;
  return route !== undefined && isKeyed(route.name) ? { ...result, retry: 'after_change' } : result;
}

function isKeyed(route: RouteName): boolean {
  return routes[route].readsIdempotencyKey;
}
