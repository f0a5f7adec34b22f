/** All routes of the console, taken from its Express routers: a page that is added is tested without being listed here. */
import express, { type Express } from 'express';
import { requireAdmin, requireOperator } from '#services/console/access.ts';
import { createConsoleApp } from '#services/console/app.ts';
import type { ConsoleContext } from '#services/console/console-context.ts';

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  /** With parameters, such as `/tenancies/:tenant`. */
  readonly path: string;
  readonly isForAdmins: boolean;
  readonly isForOperators: boolean;
  /** It says so where the book of the page has yet to be loaded. */
  readonly hasReadyBook: boolean;
}

/** Of the stack of Express, which its types describe in part. */
interface Layer {
  readonly handle: unknown;
  readonly route?: {
    readonly path: string;
    readonly stack: readonly { readonly method: string; readonly handle: unknown }[];
  };
}

/** The application without its connections: for its routes, and for pages that read nothing. */
export function consoleApp(over: Partial<ConsoleContext> = {}): Express {
  const assets = { url: (name: string) => `/assets/${name}`, router: express.Router() };
  return createConsoleApp({ assets, isSecure: false, url: undefined, proxies: 0, ...over } as ConsoleContext);
}

export function consoleRoutes(): readonly ConsoleRoute[] {
  return routesOf(consoleApp().router as object as { readonly stack: readonly Layer[] });
}

function routesOf({ stack }: { readonly stack: readonly Layer[] }): readonly ConsoleRoute[] {
  return stack.flatMap(({ handle, route }) => {
    if (route === undefined) return isRouter(handle) ? routesOf(handle) : [];
    const handlers = route.stack.map((layer) => layer.handle);
    const isForAdmins = handlers.includes(requireAdmin);
    const isForOperators = handlers.includes(requireOperator);
    const hasReadyBook = handlers.some((each) => typeof each === 'function' && each.name === 'readyBook');
    const methods = new Set(route.stack.map(({ method }) => method.toUpperCase()));
    return [...methods].map((method): ConsoleRoute => {
      if (method !== 'GET' && method !== 'POST')
        throw new Error(`${method} ${route.path}: only GET and POST are tested`);
      return { method, path: route.path, isForAdmins, isForOperators, hasReadyBook };
    });
  });
}

function isRouter(handle: unknown): handle is { readonly stack: readonly Layer[] } {
  return typeof handle === 'function' && 'stack' in handle;
}

/** A parameter without a value is an error: the test has to know what it names. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/:([a-z]+)/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path}: give the parameter ${name} a value in marked-lender.ts`);
    return encodeURIComponent(value);
  });
}
