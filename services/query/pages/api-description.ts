/** The pages that need no key: the OpenAPI document, and the documentation with the changelog. */
import { openApi } from '#libs/api/openapi/document.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { documentationHandler } from './documentation.ts';
import { staticHandler } from './static-content.ts';

export function documentPages(): RouteHandlers {
  const documentation = documentationHandler();
  return {
    readOpenApi: staticHandler(JSON.stringify(openApi)),
    readDocs: documentation,
    readChangelog: documentation,
  };
}
