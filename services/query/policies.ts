/** The Tenancy's credit policies: which there are, their versions, what each says and which products it decides for. */

import { versionOf } from '#libs/credit/lifecycle.ts';
import { policyAnswer, policyRow, versionAnswer } from '#libs/credit/policy-answers.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { page } from './cursors.ts';
import { type ReadContext, type RequestTo, tenancyBook } from './reads.ts';

export function policyReads(reads: ReadContext): RouteHandlers {
  return {
    listPolicies: (asked) => listPolicies(reads, asked),
    readPolicy: (asked) => readPolicy(reads, asked),
    readPolicyVersion: (asked) => readPolicyVersion(reads, asked),
  };
}

/** Newest first, by when a policy was first drafted: another version does not move it. */
async function listPolicies(reads: ReadContext, asked: RequestTo<'listPolicies'>): Promise<RouteResult> {
  const { limit, cursor } = asked.query;
  const listing = { tenantId: asked.tenancy.id, name: 'policies', filters: {} };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const { policies } = await tenancyBook(reads, asked);
  // A policy's number is its place in the order of first drafting, which nothing changes.
  const numbered = [...policies.versions].map(([policy, versions], at) => ({ policy, versions, number: at + 1 }));
  const before = Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER);
  const found = numbered
    .reverse()
    .filter(({ number }) => number < before)
    .slice(0, limit + 1);
  const { items, cursor: next } = page(found, limit, ({ number }) => reads.cursors.give(listing, [number]));
  return { status: 200, body: { policies: items.map(({ policy, versions }) => policyRow(policy, versions)), ...next } };
}

/** Versions oldest first. */
async function readPolicy(reads: ReadContext, asked: RequestTo<'readPolicy'>): Promise<RouteResult> {
  const { limit, cursor } = asked.query;
  const policy = String(asked.params['policy']);
  const listing = { tenantId: asked.tenancy.id, name: 'policy versions', filters: { policy } };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const { policies } = await tenancyBook(reads, asked);
  const answer = await asked.timing.measure('derive', () => policyAnswer(policies, policy));
  if (answer === undefined) return refuse('not_found');
  const after = Number(taken.place?.[0] ?? 0);
  const found = answer.versions.slice(after, after + limit + 1);
  const { items, cursor: next } = page(found, limit, ({ version }) => reads.cursors.give(listing, [version]));
  return { status: 200, body: { ...answer, versions: items, ...next } };
}

async function readPolicyVersion(reads: ReadContext, asked: RequestTo<'readPolicyVersion'>): Promise<RouteResult> {
  const { policies } = await tenancyBook(reads, asked);
  const { policy, policy_version: version } = asked.params;
  const found = versionOf(policies, String(policy), Number(version));
  return found === undefined ? refuse('not_found') : { status: 200, body: versionAnswer(found) };
}
