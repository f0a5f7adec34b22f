/** Serves the documentation site. It is rendered when its first page is requested. */
import type { PublicRequest, RouteHandler, RouteResult } from '#libs/http/handler.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { homeUrl } from '#libs/site/navigation.ts';
import { renderSite } from '#libs/site/render-site.ts';
import type { SiteFile } from '#libs/site/site.ts';
import { staticHandler } from './static-content.ts';

/** Pages load their own style sheet, scripts and search records, and nothing else. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

type FileHandlers = ReadonlyMap<string, () => RouteHandler<PublicRequest>>;

export function documentationHandler(
  render: () => Promise<readonly SiteFile[]> = renderSite,
): RouteHandler<PublicRequest> {
  let files: Promise<FileHandlers> | undefined;
  const load = (): Promise<FileHandlers> => {
    files ??= render().then(handlersByPath);
    // A later request tries again.
    files.catch(() => {
      files = undefined;
    });
    return files;
  };
  return async (request): Promise<RouteResult> => {
    const path = request.path.length > 1 && request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
    const pages = await load();
    const handler = pages.get(path);
    if (handler !== undefined) return handler()(request);
    // A guide whose address was guessed, such as /docs/quick-start.
    const guide = path.replace(homeUrl, `${homeUrl}/guide`);
    return pages.has(guide)
      ? { status: 302, text: '', type: 'text/plain', headers: { Location: guide } }
      : refuse('no_route');
  };
}

/** A file is encoded and digested when it is first requested. */
function handlersByPath(files: readonly SiteFile[]): FileHandlers {
  return new Map(
    files.map(({ url, type, content }) => {
      let handler: RouteHandler<PublicRequest> | undefined;
      return [
        url,
        () => {
          handler ??= staticHandler(content, { type, headers });
          return handler;
        },
      ];
    }),
  );
}
