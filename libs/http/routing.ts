/**
 * The steps that find the route of a request. Express's own matching cannot express the path rules of the contract (one
 * decoding, literal words that are names as well, 404 against 405 with `Allow`), so `RouteMatcher` of libs/api does.
 */

import type { ContractRules } from '#libs/api/apply-contract-changes.ts';
import { type Contract, type ContractMoment, parseVersion } from '#libs/api/contract-versions.ts';
import { type PathPieces, RouteMatcher } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

/** A page of the documentation has the longest path of a public route: `/docs/guide/signing/`, with an empty piece at its end. */
const maxPublicPieces = 4;

/** Routes without a handler do not exist in this process. */
export function createMatcher(handlers: RouteHandlers): RouteMatcher {
  const matcher = new RouteMatcher();
  for (const name of Object.keys(handlers) as RouteName[]) matcher.add(name, routes[name]);
  return matcher;
}

/** Whether a route without credentials has this path. */
export function isPublicPath(matcher: RouteMatcher, path: PathPieces): boolean {
  if (path.length > maxPublicPieces) return false;
  const matched = matcher.match('GET', path);
  return !('refusal' in matched) && routes[matched.name].isPublic;
}

/** Health checks state no version. */
export function checkContractVersion(contract: Contract): PipelineStep {
  return (context) => {
    const isHealthCheck = context.isPublic && (context.path === '/livez' || context.path === '/readyz');
    if (isHealthCheck) return undefined;
    const stated = parseVersion(contract, context.head.contractVersion);
    if (isRefusal(stated)) return stated;
    context.version = stated.version;
    return undefined;
  };
}

export function matchRoute(handlers: RouteHandlers, rules: ContractRules): PipelineStep {
  const matcherFor = matchers(handlers, rules);
  return (context) => {
    const matched = matcherFor({ version: context.version, at: context.receivedAt }).match(
      context.method,
      context.pathPieces,
    );
    if ('refusal' in matched) {
      if (matched.allow !== undefined) context.responseHeaders['Allow'] = matched.allow;
      return matched.refusal;
    }
    context.announce(rules.windowsOfRoute(matched.name));
    context.route = matched;
    return undefined;
  };
}

/** A route that is removed for a request is unknown to it: each set of removed routes has a matcher without them. */
function matchers(handlers: RouteHandlers, rules: ContractRules): (moment: ContractMoment) => RouteMatcher {
  const all = createMatcher(handlers);
  const withoutRemoved = new Map<string, RouteMatcher>();
  return (moment) => {
    const removed = rules.removedRoutes(moment);
    if (removed.length === 0) return all;
    const key = removed.join();
    const remaining = Object.entries(handlers).filter(([name]) => !removed.includes(name as RouteName));
    const matcher = withoutRemoved.get(key) ?? createMatcher(Object.fromEntries(remaining));
    withoutRemoved.set(key, matcher);
    return matcher;
  };
}
