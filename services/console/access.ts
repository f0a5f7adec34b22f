/** Checks the role of the person in the Tenancy of the path, before anything of the Tenancy is read. */
import type { RequestHandler, Response } from 'express';
import { mayRead } from '#libs/people/roles.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type ConsoleContext, personOf, visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';

/** For routes under `/tenancies/:tenant`. Without a role the Tenancy does not exist for the person. */
export function requireTenancy({ readApi }: ConsoleContext): RequestHandler<{ tenant: string }> {
  return async (request, response, next) => {
    const { tenant } = request.params;
    const api = mayRead(personOf(response), tenant) ? await readApi.of(tenant) : undefined;
    if (api === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    response.locals['api'] = api;
    next();
  };
}

/** The reads of the Tenancy in the path, behind `requireTenancy`. */
export function apiOf(response: Response): Lending {
  const api = response.locals['api'] as Lending | undefined;
  if (api === undefined) throw new Error('a route reads a Tenancy without requireTenancy before it');
  return api;
}
