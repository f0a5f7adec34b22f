/** What a kept request asks of a book: its operation, its names and its body, read from the bytes that were signed. */

import { pathPieces, Router } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { requestDigest, submissionDigest } from '#libs/submission/digest.ts';

export interface KeptRequest {
  readonly method: string;
  readonly target: string;
  readonly tenantId: string;
  /** The bytes as they were sent. */
  readonly body: Buffer;
  /** Absent on what a person did in the console or on the command line. */
  readonly isSigned: boolean;
}

export interface Asked {
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly body: JsonObject;
  readonly digest: Buffer;
}

const router = new Router();
for (const [name, route] of Object.entries(routes)) router.add(name as RouteName, route);

/** Undefined where the request asks for nothing that changes a book of its Tenancy. */
export function askedBy(request: KeptRequest, item: number): Asked | undefined {
  return request.isSigned ? askedByCaller(request, item) : askedByPerson(request);
}

function askedByCaller({ method, target, tenantId, body: bytes }: KeptRequest, item: number): Asked | undefined {
  const [path = ''] = target.split('?', 1);
  const matched = router.match(method, pathPieces(path));
  if ('refusal' in matched || matched.params['tenant_id'] !== tenantId) return undefined;
  const body = bodyOf(bytes);
  if (body === undefined) return undefined;
  const { name: route, params } = matched;
  if (route !== 'reportReceipts') {
    return { operation: route, params, body, digest: requestDigest({ route, params, body }) };
  }
  // A receipt of a batch is the receipt that is sent alone.
  const { receipts } = body;
  const receipt = Array.isArray(receipts) ? receipts[item] : undefined;
  if (!isObject(receipt)) return undefined;
  const digest = requestDigest({ route: 'reportReceipt', params, body: receipt });
  return { operation: 'reportReceipt', params: {}, body: receipt, digest };
}

/** What a person does goes the same way without a route: the target names the operation. */
function askedByPerson({ method, target, tenantId, body: bytes }: KeptRequest): Asked | undefined {
  const [, tenant, operation] = /^\/administration\/tenants\/([^/]+)\/([A-Za-z]+)$/.exec(target) ?? [];
  const body = bodyOf(bytes);
  if (tenant !== tenantId || operation === undefined || body === undefined) return undefined;
  return { operation, params: {}, body, digest: submissionDigest({ method, path: target, body }) };
}

/** A batch is read once, not once for each of its receipts. */
const read = new WeakMap<Buffer, { readonly body: JsonObject | undefined }>();

function bodyOf(bytes: Buffer): JsonObject | undefined {
  const known = read.get(bytes) ?? { body: parsed(bytes) };
  read.set(bytes, known);
  return known.body;
}

function parsed(bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return {};
  try {
    const body = JSON.parse(bytes.toString('utf8')) as Json;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
