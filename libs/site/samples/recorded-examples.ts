/** The recorded request and answer of each operation that has one. */
import type { Example } from '#libs/api/openapi/document.ts';
import type { RouteName } from '#libs/api/routes.ts';
import recorded from '#schemas/examples.json' with { type: 'json' };

export const examples = recorded as object as { readonly [operation in RouteName]?: Example };
