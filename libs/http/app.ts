/** Every request passes these steps, in this order. */
import type { RequestListener } from 'node:http';
import express from 'express';
import { ContractRules } from '#libs/api/apply-contract-changes.ts';
import { checkContract } from '#libs/api/check-contract-changes.ts';
import { baselineOf, type Contract, contract as publishedContract } from '#libs/api/contract-versions.ts';
import type { KeyRing, TenancyBounds } from '#libs/auth/key-ring.ts';
import { type VerifySignature, verifySync } from '#libs/auth/verify.ts';
import { AdmissionControl, type AdmissionLimits, admission } from '#libs/http/admission-control.ts';
import { authorize, readCredentials, verifySignature } from '#libs/http/authentication.ts';
import { type BodyMemoryLimits, defaultBodyMemoryLimits } from '#libs/http/body-memory.ts';
import { callHandler, callPublicHandler } from '#libs/http/call-handler.ts';
import { redirectToDocs } from '#libs/http/docs-redirect.ts';
import type { AuthorizedRequest, IdempotencyGuard, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type PipelineStep, type RequestObserver, runSteps } from '#libs/http/middleware.ts';
import { parseRequest } from '#libs/http/parse-request.ts';
import { type PublicRouteLimits, publicRouteBudget } from '#libs/http/public-route-budget.ts';
import { boundsAnswer, defaultBounds, RateLimiter, rateLimit, type TenancyLimiter } from '#libs/http/rate-limits.ts';
import { checkContentLength, readRequestBody } from '#libs/http/request-body.ts';
import { RequestContext } from '#libs/http/request-context.ts';
import { startRequestSpan } from '#libs/http/request-trace.ts';
import { checkContractVersion, createMatcher, isPublicPath, matchRoute } from '#libs/http/routing.ts';
import { submissionTimeoutMs, verdictGraceMs } from '#libs/submission/submitter.ts';
import { renderForVersion } from './call-handler.ts';

export interface AppOptions {
  readonly handlers: RouteHandlers;
  readonly keyRing: KeyRing;
  readonly rateLimiter?: TenancyLimiter;
  readonly admissionLimits?: AdmissionLimits | undefined;
  /** For a Tenancy without bounds of its own. */
  readonly defaultBounds?: TenancyBounds;
  readonly contract?: Contract;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly handlerTimeoutMs?: number;
  readonly publicRouteLimits?: PublicRouteLimits;
  readonly bodyMemoryLimits?: Partial<BodyMemoryLimits>;
  readonly idempotency?: IdempotencyGuard;
  readonly verify?: VerifySignature | undefined;
  readonly observe?: RequestObserver;
}

/** A request that waits for several verdicts answers with those it has before this; the deadline is checked every 100 ms. */
const defaultHandlerTimeoutMs = submissionTimeoutMs + verdictGraceMs + 200;

export function createApp(options: AppOptions): RequestListener {
  const { keyRing, contract = publishedContract, now = Date.now, observe = () => undefined } = options;
  const bounds = options.defaultBounds ?? defaultBounds;
  const handlers = { readBounds: readBounds(bounds), ...options.handlers };
  checkContract(contract);
  const rules = new ContractRules(contract);
  const matcher = createMatcher(handlers);
  const admissionControl = new AdmissionControl(options.admissionLimits);
  const limiter = options.rateLimiter ?? new RateLimiter();
  const bodyLimits = { ...defaultBodyMemoryLimits, ...options.bodyMemoryLimits };
  const handlerTimeoutMs = options.handlerTimeoutMs ?? defaultHandlerTimeoutMs;

  const publicSteps: readonly PipelineStep[] = [
    checkContractVersion(contract),
    matchRoute(handlers, rules),
    publicRouteBudget(options.publicRouteLimits),
    callPublicHandler(handlers),
  ];
  const tenancySteps: readonly PipelineStep[] = [
    ...(handlers.readDocs === undefined ? [] : [redirectToDocs]),
    checkContractVersion(contract),
    checkContentLength,
    readCredentials,
    admission(admissionControl),
    readRequestBody(bodyLimits, keyRing),
    verifySignature(keyRing, options.verify ?? verifySync),
    authorize,
    rateLimit(limiter, bounds, admissionControl),
    startRequestSpan,
    matchRoute(handlers, rules),
    parseRequest(rules, now),
    renderForVersion(rules, callHandler({ handlers, handlerTimeoutMs, idempotency: options.idempotency })),
  ];

  const version = baselineOf(contract);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((_request, { locals: { context } }) =>
    runSteps(context, context.isPublic ? publicSteps : tenancySteps, observe),
  );
  return (request, response) => {
    const context = new RequestContext(request, response, now(), version);
    context.isPublic = isPublicPath(matcher, context.pathPieces);
    if (isBrowsable(context)) {
      // Express cannot parse every request target that Node accepts, so it never sees one.
      Object.assign(request, { url: '/' });
      app(request, Object.assign(response, { locals: { context } }));
    } else runSteps(context, tenancySteps, observe);
  };
}

/**
 * What browsers open goes through Express, which negotiates the content. Signed requests do not: it took 9 to 15 of the
 * 70 µs that one of them takes on the main thread.
 */
function isBrowsable({ isPublic, path }: RequestContext): boolean {
  return isPublic || path === '/';
}

/** Answers with the bounds that apply to the caller. */
function readBounds(fallback: TenancyBounds): (request: AuthorizedRequest) => RouteResult {
  return ({ tenancy }) => {
    const source = tenancy.bounds === undefined ? 'default' : 'tenancy';
    return { status: 200, body: { ...boundsAnswer(tenancy.bounds ?? fallback), source } };
  };
}
