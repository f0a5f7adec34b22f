/** What `npm start` says when it is ready. */
export function whatToTry(baseUrl: string, tookMs: number): string {
  const client = '{"actor":"me","basis":"walked in"}';
  return `
Ready in ${(tookMs / 1000).toFixed(1)} s at ${baseUrl}. Keys and addresses are in .data/dev.json, logs in .data/*/logs.
Every route, shape and refusal: ${baseUrl}/docs

Try next, in another terminal (it signs as the demo Tenancy's write key):

  npm run -s lending -- call GET /v1/tenants/demo/bounds
  npm run -s lending -- call PUT /v1/tenants/demo/clients/ada '${client}'
  npm run -s lending -- key mint demo --scope read --label 'my first key'
  npm run -s lending -- key list demo

Ctrl-C stops all of it; what was recorded is there at the next start. Without .data/stack it begins anew.`;
}
