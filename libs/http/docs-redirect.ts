/** Leads people who open the service's address in a browser to its documentation. Programs get the refusal of the path. */
import type { PipelineStep } from '#libs/http/middleware.ts';

const docsPath = '/docs';

/** A slash at the end makes another path, which people may type all the same. */
const paths: readonly string[] = ['/', `${docsPath}/`];

export const redirectToDocs: PipelineStep = ({ method, path, request }) => {
  if (!paths.includes(path) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  // Of a caller that takes anything, the first one is chosen.
  if (request.accepts(['application/json', 'text/html']) !== 'text/html') return undefined;
  return { status: 302, headers: { Location: docsPath, Vary: 'Accept', 'Content-Length': '0' } };
};
