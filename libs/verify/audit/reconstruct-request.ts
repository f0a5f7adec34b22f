/** Reconstructs from a stored request what it submitted to a book: operation, path parameters, body and digest. */
import { RouteMatcher, splitPath } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { requestDigest, submissionDigest } from '#libs/submission/digest.ts';

export interface StoredRequest {
  readonly method: string;
  readonly target: string;
  readonly tenantId: string;
  /** The bytes as they were sent. */
  readonly body: Buffer;
  /** False for administration. */
  readonly isSigned: boolean;
}

export interface ReconstructedRequest {
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly body: JsonObject;
  readonly digest: Buffer;
}

const routeMatcher = new RouteMatcher();
for (const [name, route] of Object.entries(routes)) routeMatcher.add(name as RouteName, route);

/** The submission of one item; undefined if the request is not a write of its Tenancy. */
export function reconstructRequest(request: StoredRequest, item: number): ReconstructedRequest | undefined {
  return request.isSigned ? reconstructCall(request, item) : reconstructAdministration(request);
}

function reconstructCall(
  { method, target, tenantId, body: bytes }: StoredRequest,
  item: number,
): ReconstructedRequest | undefined {
  const [path = ''] = target.split('?', 1);
  const matched = routeMatcher.match(method, splitPath(path));
  if ('refusal' in matched || matched.params['tenant_id'] !== tenantId) return undefined;
  const body = bodyOf(bytes);
  if (body === undefined) return undefined;
  const { name: route, params } = matched;
  if (route !== 'reportReceipts') {
    return { operation: route, params, body, digest: requestDigest({ route, params, body }) };
  }
  // An item of a batch is recorded as if it had been sent alone.
  const { receipts } = body;
  const receipt = Array.isArray(receipts) ? receipts[item] : undefined;
  if (!isObject(receipt)) return undefined;
  const digest = requestDigest({ route: 'reportReceipt', params, body: receipt });
  return { operation: 'reportReceipt', params: {}, body: receipt, digest };
}

/** Administration has no route: its target names the operation. */
function reconstructAdministration({
  method,
  target,
  tenantId,
  body: bytes,
}: StoredRequest): ReconstructedRequest | undefined {
  const [, tenant, operation] = /^\/administration\/tenants\/([^/]+)\/([A-Za-z]+)$/.exec(target) ?? [];
  const body = bodyOf(bytes);
  if (tenant !== tenantId || operation === undefined || body === undefined) return undefined;
  return { operation, params: {}, body, digest: submissionDigest({ method, path: target, body }) };
}

/** A batch is parsed once, not once for each of its receipts. */
const parsedBodies = new WeakMap<Buffer, { readonly body: JsonObject | undefined }>();

function bodyOf(bytes: Buffer): JsonObject | undefined {
  const parsed = parsedBodies.get(bytes) ?? { body: parseBody(bytes) };
  parsedBodies.set(bytes, parsed);
  return parsed.body;
}

function parseBody(bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return {};
  try {
    const body = JSON.parse(bytes.toString('utf8')) as Json;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
