/**
 * The examples of the document are answers the service gave, and still gives: the story they were recorded from is told
 * again. `npm run schemas:examples` records them anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Examples } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import { likeness } from '#test/openapi/alike.ts';
import { tellStory } from '#test/openapi/story.ts';
import { house, Tenant } from './tenant.ts';

const file = new URL('../../schemas/examples.json', import.meta.url);
const isRecording = process.env['RECORD_EXAMPLES'] === 'true';

let tenant: Tenant;
let told: Examples;
beforeAll(async () => {
  tenant = await Tenant.open(house());
  told = await tellStory(async (method, path, body) => {
    const { status, body: answer } = await tenant.call(method, path, body);
    return { status, body: answer as Json };
  });
  if (isRecording) writeFileSync(file, `${JSON.stringify(told, null, 1)}\n`);
});
afterAll(() => tenant.close());

const recorded = (): Examples => JSON.parse(readFileSync(file, 'utf8')) as Examples;

/** The Tenancy of the run that was recorded. */
function tenantOf({ readClient }: Examples): string {
  if (readClient === undefined) throw new Error('no example says whose it is');
  return (readClient.answer as { readonly tenant_id: string }).tenant_id;
}

test('every route of a Tenancy that answers JSON has an example', () => {
  const shown = (Object.keys(routes) as RouteName[]).filter((name) => !routes[name].open && name !== 'streamFeed');
  expect(Object.keys(recorded()).sort()).toEqual([...shown].sort());
});

test('the service answers as the examples say', () => {
  const examples = recorded();
  const before = likeness(examples, tenantOf(examples)) as { [route: string]: unknown };
  const now = likeness(told, tenant.id) as { [route: string]: unknown };
  for (const route of Object.keys(examples))
    expect({ route, ...(now[route] as object) }).toEqual({ route, ...(before[route] as object) });
});
