/** What is recorded when the fuzzing begins, by the names under which a request may ask for it. */
import type { Examples } from '#libs/api/openapi/document.ts';
import type { Tenant } from '#test/integration/tenant.ts';
import { isNode, type Node } from '../openapi/strict.ts';

export type Seeds = { readonly [name: string]: readonly (string | number)[] };

export async function seedsOf(tenant: Tenant, told: Examples): Promise<Seeds> {
  const loans = await idsIn(tenant, '/loans?limit=200', 'loans');
  const { suspended, writtenOff } = await eventsOf(tenant, loans);
  const decisions = await idsIn(tenant, '/credit-decisions', 'decisions');
  const configurations = await idsIn(tenant, '/product-configurations', 'configurations');
  return {
    tenant_id: [tenant.id],
    client_id: ['ada', 'bruno', 'carla'],
    client: ['ada', 'carla'],
    loan_id: loans,
    designated_loan_id: loans.slice(0, 3),
    event_id: [...suspended, ...writtenOff],
    suspension_id: suspended,
    quote_id: [idIn(told, 'quotePayoff')],
    configuration_id: configurations,
    configuration_version: [1, 2],
    lookup_key: ['three-months'],
    policy: ['retail'],
    policy_version: [1],
    decision_id: decisions,
    facility_id: [idIn(told, 'openFacility')],
    supersedes: [idIn(told, 'openFacility')],
    merchant_ref: ['corner-shop'],
    receipt_reference: ['spei-1', 'spei-2'],
    jurisdiction: ['MX'],
    currency: ['MXN'],
    on: ['2026-02-15', '2026-03-20', '2026-07-01'],
    from: ['2026-01-01', '2026-02-01'],
    to: ['2026-02-28', '2026-12-31'],
    value_date: ['2026-02-20', '2026-04-01'],
    anchor: ['2026-01-15'],
    submitted_on: ['2026-02-01'],
  };
}

function idIn(told: Examples, route: string): string {
  const example = told[route];
  if (example === undefined) throw new Error(`the story does not ask ${route}`);
  return (example.answer as { readonly id: string }).id;
}

async function idsIn(tenant: Tenant, path: string, member: string): Promise<string[]> {
  const listed = (await tenant.get(path)).body[member] as { readonly id: string }[];
  return listed.map(({ id }) => id);
}

async function eventsOf(tenant: Tenant, loans: readonly string[]) {
  const found = await Promise.all(
    loans.map(async (id) => (await tenant.get(`/loans/${id}`)).body.events as { id: string; kind: string }[]),
  );
  const ofKind = (wanted: string) =>
    found
      .flat()
      .filter(({ kind }) => kind === wanted)
      .map(({ id }) => id);
  return { suspended: ofKind('suspended'), writtenOff: ofKind('written_off') };
}

/** The document with those values beside what each name may be anyway, so that many requests meet what is recorded. */
export function seeded(document: Node, seeds: Seeds): Node {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isNode(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]));
    if (isNode(copy['schema']) && typeof copy['name'] === 'string') {
      return { ...copy, schema: either(seeds, copy['name'], copy['schema']) };
    }
    if (!isNode(copy['properties'])) return copy;
    const properties = Object.entries(copy['properties']).map(([name, inner]) => [name, either(seeds, name, inner)]);
    return { ...copy, properties: Object.fromEntries(properties) };
  };
  return visit(document) as Node;
}

function either(seeds: Seeds, name: string, schema: unknown): unknown {
  const own = seeds[name];
  if (own === undefined || !isNode(schema) || schema['type'] === 'array') return schema;
  // Any other Tenancy is the key's refusal, and nothing behind it is met.
  if (name === 'tenant_id') return { enum: own };
  return { anyOf: [{ enum: own }, schema] };
}

/** Examples of this run: those that are published name what another run recorded. */
export function withExamples(document: Node, told: Examples): Node {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isNode(value)) return value;
    const { example: _, ...rest } = value;
    const copy = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, visit(inner)])) as Node;
    const body = told[String(copy['operationId'])]?.body;
    return body === undefined || !isNode(copy['requestBody'])
      ? copy
      : { ...copy, requestBody: exampled(copy['requestBody'], body) };
  };
  return visit(document) as Node;
}

function exampled(requestBody: Node, example: unknown): Node {
  const json = (requestBody['content'] as Node)['application/json'] as Node;
  return { ...requestBody, content: { 'application/json': { ...json, example } } };
}
