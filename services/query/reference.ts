/** The interface described: for machines as OpenAPI, for people as a page. Made once, when the service starts. */
import { openApi } from '#libs/api/openapi/published.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { pageOutcome } from './pages/html.ts';
import { referenceBody } from './pages/reference.ts';
import { style } from './pages/style.ts';

export function reference(): RouteHandlers {
  const page = pageOutcome({ title: 'Lending: the interface', style, body: referenceBody(openApi) });
  const text = JSON.stringify(openApi);
  return {
    readOpenApi: () => ({ status: 200, text }),
    readDocs: () => page,
  };
}
