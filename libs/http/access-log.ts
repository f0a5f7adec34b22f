/** The access log: one line per answered request, sampled. It holds no bodies, no paths with names in them and no keys. */
import { routes } from '#libs/api/routes.ts';
import type { AnsweredRequest, RequestObserver } from '#libs/http/middleware.ts';
import { traceIdOf } from '#libs/http/request-trace.ts';
import type { Logger } from '#libs/runtime/logging.ts';

export interface AccessLogOptions {
  readonly logger: Logger;
  /** The share of requests that are logged. Those answered 5xx are logged in any case. */
  readonly sample: number;
  readonly random?: () => number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Under overload each rejection is a 503: without a limit, writing lines would cost more than rejecting. */
const maxErrorsPerSecond = 50;

export function accessLog(options: AccessLogOptions): RequestObserver {
  const { logger, sample, random = Math.random, now = Date.now } = options;
  let second = 0;
  let errors = 0;
  let skipped = 0;
  const hasRoom = (): boolean => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) errors = 0;
    second = current;
    errors += 1;
    return errors <= maxErrorsPerSecond;
  };
  return (answered) => {
    if (random() >= sample) {
      if (answered.status < 500) return;
      if (!hasRoom()) {
        skipped += 1;
        return;
      }
    }
    logger.info({ event: 'http.request', ...lineOf(answered), ...(skipped > 0 ? { skipped } : {}) }, 'request');
    skipped = 0;
  };
}

function lineOf({ context, status, code }: AnsweredRequest): Readonly<Record<string, unknown>> {
  const { requestId, callerRequestId, caller, method, route, timing, body, responseBytes } = context;
  return {
    request_id: requestId,
    caller_request_id: callerRequestId,
    trace_id: traceIdOf(context),
    tenant_id: caller?.key.tenancy.id,
    method,
    route: route && routes[route.name].path,
    status,
    code,
    duration_ms: Math.round(timing.total() * 10) / 10,
    request_bytes: body?.length ?? 0,
    response_bytes: responseBytes,
  };
}
