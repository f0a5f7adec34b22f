/** The API description: as OpenAPI for programs and as a page for people. Rendered once, when the service starts. */
import { openApi } from '#libs/api/openapi/document.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { htmlResponse } from './html.ts';
import { renderReference } from './reference.ts';

export function documentPages(): RouteHandlers {
  const page = htmlResponse({ title: 'Lending API reference', body: renderReference(openApi) });
  const text = JSON.stringify(openApi);
  return {
    readOpenApi: () => ({ status: 200, text }),
    readDocs: () => page,
  };
}
