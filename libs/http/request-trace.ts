/** The trace of a request: its span, and the identifiers that log lines carry. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { routes } from '#libs/api/routes.ts';
import type { AnsweredRequest, PipelineStep } from '#libs/http/middleware.ts';
import type { RequestContext } from '#libs/http/request-context.ts';
import { withRequestId } from '#libs/runtime/logging.ts';
import { isTracing, parentIn, startSpan, traceIdIn, withSpan } from '#libs/runtime/tracing.ts';

/** Runs after the rate limit: a request that is rejected early or whose sender is unknown records nothing. */
export const startRequestSpan: PipelineStep = (context) => {
  if (!isTracing()) return undefined;
  const { head, timing, method } = context;
  const [traceparent] = head.traceparent;
  const parent = parentIn({ traceparent, tracestate: head.tracestate.join(',') || undefined });
  context.span = startSpan(method, { kind: SpanKind.SERVER, startTime: timing.startedAt }, parent);
  return undefined;
};

/** What `work` logs carries the identifiers of the request; the spans it starts are below that of the request. */
export function withRequestTrace<Result>(context: RequestContext, work: () => Result): Result {
  const { requestId, span } = context;
  return withRequestId(requestId, span === undefined ? work : () => withSpan(span, work), traceIdOf(context));
}

/** Of the caller's trace, also where this process records none. */
export function traceIdOf({ span, head }: RequestContext): string | undefined {
  return span === undefined ? traceIdIn(head.traceparent[0]) : span.spanContext().traceId;
}

export function endRequestSpan({ context, status, code }: AnsweredRequest): void {
  const { span, route, caller, method, requestId, timing } = context;
  if (span === undefined) return;
  if (span.isRecording()) {
    const path = route && routes[route.name].path;
    if (path !== undefined) span.updateName(`${method} ${path}`).setAttribute('http.route', path);
    span.setAttributes({
      'http.request.method': method,
      'http.response.status_code': status,
      'lending.request_id': requestId,
      'lending.server_timing': timing.header(true),
    });
    if (caller !== undefined) span.setAttribute('lending.tenant_id', caller.key.tenancy.id);
    if (code !== undefined) span.setAttribute('lending.refusal', code);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(timing.startedAt + timing.total());
}
