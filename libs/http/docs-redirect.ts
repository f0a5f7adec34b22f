/** Leads people who open the service's address in a browser to its documentation. Programs get the refusal of the path. */
import type { Request } from 'express';
import type { PipelineStep } from '#libs/http/middleware.ts';

const docsPath = '/docs';

export const redirectToDocs: PipelineStep = ({ method, path, request }) => {
  if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  // Of a caller that takes anything, the first one is chosen.
  if ((request as Request).accepts(['application/json', 'text/html']) !== 'text/html') return undefined;
  return { status: 302, headers: { Location: docsPath, Vary: 'Accept', 'Content-Length': '0' } };
};
