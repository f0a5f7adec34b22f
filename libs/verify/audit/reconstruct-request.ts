/** Reconstructs from a stored request what it submitted to a book: operation, path parameters, body and digest. */
import { RouteMatcher, splitPath } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { requestDigest, submissionDigest } from '#libs/submission/digest.ts';
import { arrayItems, type ByteRange } from './json-array-items.ts';

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
  const { name, params } = matched;
  // An item of a batch is recorded as if it had been sent alone.
  const isBatch = name === 'reportReceipts';
  const route = isBatch ? 'reportReceipt' : name;
  const body = parseBody(isBatch ? batchItem(bytes, item) : bytes);
  if (body === undefined) return undefined;
  return { operation: route, params: isBatch ? {} : params, body, digest: requestDigest({ route, params, body }) };
}

/** The items of a batch are found once, not once for each of its receipts. */
const itemsOfBatches = new WeakMap<Buffer, readonly ByteRange[]>();

function batchItem(bytes: Buffer, item: number): Buffer | undefined {
  const items = itemsOfBatches.get(bytes) ?? arrayItems(bytes, 'receipts');
  itemsOfBatches.set(bytes, items);
  const range = items[item];
  return range && bytes.subarray(...range);
}

/** Administration has no route: its target names the operation. */
function reconstructAdministration({
  method,
  target,
  tenantId,
  body: bytes,
}: StoredRequest): ReconstructedRequest | undefined {
  const [, tenant, operation] = /^\/administration\/tenants\/([^/]+)\/([A-Za-z]+)$/.exec(target) ?? [];
  const body = parseBody(bytes);
  if (tenant !== tenantId || operation === undefined || body === undefined) return undefined;
  return { operation, params: {}, body, digest: submissionDigest({ method, path: target, body }) };
}

function parseBody(bytes: Buffer | undefined): JsonObject | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length === 0) return {};
  try {
    const body = JSON.parse(bytes.toString('utf8')) as Json;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
