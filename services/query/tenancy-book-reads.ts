/** Reads of the Tenancy's own book: credit policies, lookup keys and the company profile. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { refuseUnknownMembers } from '#libs/api/closed-members.ts';
import {
  adoptionAnswer,
  findPolicyVersion,
  policyAnswer,
  policyRow,
  policyVersionAnswer,
} from '#libs/credit/policy-lifecycle.ts';
import { fromNewest } from '#libs/database/merge-pages.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { profileAnswer } from '#libs/tenant/company-profile.ts';
import { findLookupKey, lookupKeyAnswer, lookupKeysInUse } from '#libs/tenant/lookup-keys.ts';
import { jsonPage, pageResponse } from './json-page.ts';
import { loadTenancyBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function tenancyBookReads(context: ReadContext): RouteHandlers {
  return {
    listPolicies: (request) => listPolicies(context, request),
    readPolicy: (request) => readPolicy(context, request),
    readPolicyVersion: (request) => readPolicyVersion(context, request),
    readAdoptedPolicy: (request) => readAdoptedPolicy(context, request),
    listLookupKeys: (request) => listLookupKeys(context, request),
    readLookupKey: (request) => readLookupKey(context, request),
    readCompanyProfile: (request) => readCompanyProfile(context, request),
  };
}

/** Newest first by first draft: another version does not move a policy. */
async function listPolicies(context: ReadContext, request: RouteRequest<'listPolicies'>): Promise<RouteResult> {
  const { limit, cursor } = request.query;
  const scope = { tenantId: request.tenancy.id, name: 'policies', filters: {} };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const { policies } = await loadTenancyBook(context, request);
  const numbered = [...policies.versions].map(([policy, versions], index) => ({ policy, versions, number: index + 1 }));
  const before = Number(start.position?.[0] ?? fromNewest);
  const found = numbered
    .reverse()
    .filter(({ number }) => number < before)
    .slice(0, limit + 1);
  const page = jsonPage(found, {
    limit,
    textOf: ({ policy, versions }) => JSON.stringify(policyRow(policy, versions)),
    cursorAfter: ({ number }) => context.cursors.encode(scope, [number]),
  });
  return pageResponse('policies', page);
}

/** Versions oldest first. */
async function readPolicy(context: ReadContext, request: RouteRequest<'readPolicy'>): Promise<RouteResult> {
  const { limit, cursor } = request.query;
  const policy = String(request.params['policy']);
  const scope = { tenantId: request.tenancy.id, name: 'policy versions', filters: { policy } };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const { policies } = await loadTenancyBook(context, request);
  const answer = await request.timing.measure('derive', () => policyAnswer(policies, policy));
  if (answer === undefined) return refuse('not_found');
  const after = Number(start.position?.[0] ?? 0);
  const versions = answer.versions.slice(after, after + limit + 1);
  const page = jsonPage(versions, {
    limit,
    textOf: (version) => JSON.stringify(version),
    cursorAfter: ({ version }) => context.cursors.encode(scope, [version]),
  });
  const { versions: _all, ...members } = answer;
  return pageResponse('versions', page, members);
}

async function readPolicyVersion(
  context: ReadContext,
  request: RouteRequest<'readPolicyVersion'>,
): Promise<RouteResult> {
  const { policies } = await loadTenancyBook(context, request);
  const { policy, policy_version: version } = request.params;
  const found = findPolicyVersion(policies, String(policy), Number(version));
  return found === undefined ? refuse('not_found') : { status: 200, body: policyVersionAnswer(found) };
}

async function readAdoptedPolicy(
  context: ReadContext,
  request: RouteRequest<'readAdoptedPolicy'>,
): Promise<RouteResult> {
  const { policies } = await loadTenancyBook(context, request);
  const adoption = policies.adoptions.get(String(request.params['configuration_id']));
  return adoption === undefined ? refuse('not_found') : { status: 200, body: adoptionAnswer(adoption) };
}

/** A request for named keys also gets the versions they point at. */
async function listLookupKeys(context: ReadContext, request: RouteRequest<'listLookupKeys'>): Promise<RouteResult> {
  const book = await loadTenancyBook(context, request);
  const names = request.query.lookup_key;
  const withVersion = names !== undefined;
  const requested = requestedVersion(context.contract, request);
  const keys = await request.timing.measure('derive', () =>
    lookupKeysInUse(book.lookupKeys, names)
      .map((key) => lookupKeyAnswer(key, book, { withVersion }))
      .filter((key) => refuseUnknownMembers(requested, key) === undefined),
  );
  return { status: 200, body: { lookup_keys: keys } };
}

async function readLookupKey(context: ReadContext, request: RouteRequest<'readLookupKey'>): Promise<RouteResult> {
  const book = await loadTenancyBook(context, request);
  const key = findLookupKey(book.lookupKeys, String(request.params['lookup_key']));
  if (key === undefined) return refuse('not_found');
  return { status: 200, body: lookupKeyAnswer(key, book, { withVersion: true }) };
}

async function readCompanyProfile(
  context: ReadContext,
  request: RouteRequest<'readCompanyProfile'>,
): Promise<RouteResult> {
  const { companyProfile } = await loadTenancyBook(context, request);
  const answer = profileAnswer(companyProfile);
  return isRefusal(answer) ? answer : { status: 200, body: answer };
}
