/** The routes that the console calls with its own keys: those that record nothing. */
import type { RequestListener } from 'node:http';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { type AppOptions, createApp } from '#libs/http/app.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';

/** Sent with POST because they have a body. They compute an answer and record nothing. */
const computations: readonly RouteName[] = ['simulate', 'rehearse'];

/** Every other route does not exist in it, whatever handlers it is given. */
export function createReadingApp({
  handlers,
  ...options
}: Pick<AppOptions, 'handlers' | 'keyRing' | 'rateLimiter'>): RequestListener {
  return createApp({ ...options, handlers: readingHandlers(handlers) });
}

function readingHandlers(handlers: RouteHandlers): RouteHandlers {
  const isReading = (name: string): boolean =>
    routes[name as RouteName].method === 'GET' || computations.includes(name as RouteName);
  return Object.fromEntries(Object.entries(handlers).filter(([name]) => isReading(name)));
}
