/** Values that exist in the Tenancy when fuzzing starts, by the name of the parameter or member. */
import type { Examples } from '#libs/api/openapi/document.ts';
import { type DocumentNode, isNode } from '#test/openapi/published-document.ts';
import type { Tenant } from '#test/support/tenant.ts';

export type Seeds = { readonly [name: string]: readonly (string | number)[] };

export async function seedsOf(tenant: Tenant, examples: Examples): Promise<Seeds> {
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
    quote_id: [idIn(examples, 'quotePayoff')],
    configuration_id: configurations,
    configuration_version: [1, 2],
    lookup_key: ['three-months'],
    policy: ['retail'],
    policy_version: [1],
    decision_id: decisions,
    facility_id: [idIn(examples, 'openFacility')],
    supersedes: [idIn(examples, 'openFacility')],
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

function idIn(examples: Examples, route: string): string {
  const example = examples[route];
  if (example === undefined) throw new Error(`the recorded examples have no ${route}`);
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

/** The document with the seeds as additional values, so that many requests name existing records. */
export function seeded(document: DocumentNode, seeds: Seeds): DocumentNode {
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
  return visit(document) as DocumentNode;
}

function either(seeds: Seeds, name: string, schema: unknown): unknown {
  const own = seeds[name];
  if (own === undefined || !isNode(schema) || schema['type'] === 'array') return schema;
  // With any other Tenancy every request would be refused for its key.
  if (name === 'tenant_id') return { enum: own };
  return { anyOf: [{ enum: own }, schema] };
}

/** Replaces the published examples by those of this run, whose ids exist. */
export function withExamples(document: DocumentNode, examples: Examples): DocumentNode {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isNode(value)) return value;
    const { example: _, ...rest } = value;
    const copy = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, visit(inner)])) as DocumentNode;
    const body = examples[String(copy['operationId'])]?.body;
    return body === undefined || !isNode(copy['requestBody'])
      ? copy
      : { ...copy, requestBody: exampled(copy['requestBody'], body) };
  };
  return visit(document) as DocumentNode;
}

function exampled(requestBody: DocumentNode, example: unknown): DocumentNode {
  const json = (requestBody['content'] as DocumentNode)['application/json'] as DocumentNode;
  return { ...requestBody, content: { 'application/json': { ...json, example } } };
}
