/**
 * The examples in the OpenAPI document are recorded answers of the service. The test runs the same requests again and
 * compares. `npm run schemas:examples` records them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Examples } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { clientFacts } from '#libs/kafka/asyncapi.ts';
import type { Json } from '#libs/schema/json.ts';
import { normalizeRun } from '#test/openapi/normalize-run.ts';
import { runScenario } from '#test/openapi/scenario.ts';
import { checkFactBodies } from '#test/support/fact-bodies.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';

const file = new URL('../../schemas/examples.json', import.meta.url);
const isRecording = process.env['RECORD_EXAMPLES'] === 'true';

let tenant: Tenant;
let response: Examples;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  response = await runScenario(async (method, path, body) => {
    const { status, body: answer } = await tenant.call(method, path, body);
    return { status, body: answer as Json };
  });
  if (isRecording) writeFileSync(file, `${JSON.stringify(response, null, 1)}\n`);
});
afterAll(() => tenant.close());

const recorded = (): Examples => JSON.parse(readFileSync(file, 'utf8')) as Examples;

/** The Tenancy of the recorded run. */
function tenantOf({ readClient }: Examples): string {
  if (readClient === undefined) throw new Error('the example of readClient is missing');
  return (readClient.answer as { readonly tenant_id: string }).tenant_id;
}

test('every route of a Tenancy that answers JSON has an example in the document', () => {
  const shown = (Object.keys(routes) as RouteName[]).filter((name) => !routes[name].isPublic && name !== 'streamFeed');
  expect(Object.keys(recorded()).sort()).toEqual([...shown].sort());
});

test('the service still answers as the recorded examples show', () => {
  const examples = recorded();
  const before = normalizeRun(examples, tenantOf(examples)) as { [route: string]: unknown };
  const now = normalizeRun(response, tenant.id) as { [route: string]: unknown };
  for (const route of Object.keys(examples))
    expect({ route, ...(now[route] as object) }).toEqual({ route, ...(before[route] as object) });
});

test('the facts of every kind about Clients satisfy the schemas that consumers of the topic read them by', async () => {
  const { databases, close } = await openTestDatabases(testEnvironment(), { name: 'bodies' });
  try {
    const { kinds, faults } = await checkFactBodies(databases, tenant.id);
    expect(faults).toEqual([]);
    expect(Object.keys(clientFacts).filter((kind) => !kinds.has(kind))).toEqual([]);
  } finally {
    await close();
  }
});
