/** Checks the role of the person in the Tenancy of the path, before anything of the Tenancy is read. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { mayAdminister, mayRead } from '#libs/people/roles.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type ConsoleContext, personOf, type Visit, visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';

/** A guard of a path with at least this parameter. */
type TenancyGuard = <Path extends { tenant: string }>(
  request: Request<Path>,
  response: Response,
  next: NextFunction,
) => Promise<void> | void;

/** For routes under `/tenancies/:tenant`. Without a role the Tenancy does not exist for the person. */
export function requireTenancy({ readApi }: ConsoleContext): TenancyGuard {
  return async (request, response, next) => {
    const { tenant } = request.params;
    const found = mayRead(personOf(response), tenant) ? await readApi.of(tenant) : undefined;
    if (found === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    response.locals['api'] = found.api;
    response.locals['visit'] = { ...visitOf(response), tenantId: tenant, isLive: found.isLive } satisfies Visit;
    next();
  };
}

/** After `requireTenancy`: for what support and finance may not do. */
export const requireAdmin: TenancyGuard = (request, response, next) => {
  if (mayAdminister(personOf(response), request.params.tenant)) return next();
  sendErrorPage(response, 403, visitOf(response).texts.errors.forbidden);
};

export const requireOperator: RequestHandler = (_request, response, next) => {
  if (personOf(response).isOperator) return next();
  sendErrorPage(response, 403, visitOf(response).texts.errors.forbidden);
};

/** The reads of the Tenancy in the path, behind `requireTenancy`. */
export function apiOf(response: Response): Lending {
  const api = response.locals['api'] as Lending | undefined;
  if (api === undefined) throw new Error('a route reads a Tenancy without requireTenancy before it');
  return api;
}
