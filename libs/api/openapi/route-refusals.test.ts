import { describe, expect, test } from '@jest/globals';
import { operations } from '#libs/api/openapi/document.ts';
import { refusalCodesOf } from '#libs/api/openapi/route-refusals.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import { stateRefusals } from '#libs/ledger/loan-state.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

const names = Object.keys(routes) as RouteName[];
const codes = (name: RouteName): ReadonlySet<RefusalCode> => refusalCodesOf(routes[name], operations[name]);
const routesWith = (code: RefusalCode): RouteName[] => names.filter((name) => codes(name).has(code));

describe('the refusal codes of a route', () => {
  test('routes with a credential have the codes of keys and rate limits', () => {
    const withCredential = names.filter((name) => !routes[name].isPublic);
    for (const code of ['unauthenticated', 'not_permitted_tenant', 'rate_exceeded', 'too_many_concurrent'] as const) {
      expect(routesWith(code)).toEqual(withCredential);
    }
  });

  test('every method but GET needs a write key', () => {
    const mutations = names.filter((name) => routes[name].method !== 'GET');
    expect(routesWith('not_permitted_scope')).toEqual(mutations);
    expect(routesWith('not_permitted_agent')).toEqual(['pointLookupKey', 'removeLookupKey']);
  });

  test('only routes with a body have the codes of bodies', () => {
    const withBody = names.filter((name) => 'body' in routes[name]);
    for (const code of ['unsupported_media_type', 'invalid_body', 'unknown_field', 'missing_field'] as const) {
      expect(withBody.filter((name) => !codes(name).has(code))).toEqual([]);
    }
    expect(routesWith('unsupported_media_type')).toEqual(withBody);
  });

  test('a name with a broken grammar is not found by a read and refused by a mutation', () => {
    expect(codes('readClient').has('invalid_identifier')).toBe(false);
    expect(codes('readClient').has('not_found')).toBe(true);
    expect(codes('registerClient').has('invalid_identifier')).toBe(true);
    expect(codes('registerClient').has('not_found')).toBe(false);
  });

  test('a missing day has the code of its route', () => {
    expect(routesWith('outside_loan')).toEqual(['readPaymentOptions']);
    expect(codes('readBar').has('invalid_application')).toBe(true);
    expect(codes('readStatement').has('missing_field')).toBe(true);
  });

  test('only the two routes with an Idempotency-Key have idempotency_mismatch', () => {
    expect(routesWith('idempotency_mismatch')).toEqual(['createConfiguration', 'writeConfigurationVersion']);
  });

  test('health routes ignore the contract version', () => {
    const without = names.filter((name) => !codes(name).has('invalid_contract_version'));
    expect(without).toEqual(['readLiveness', 'readReadiness']);
  });
});

test.each(acts.map((act) => [act.route.operation, act] as const))(
  '%s documents every code with which a state of the Loan refuses it',
  (operation, { states }) => {
    expect(stateRefusals(states).filter((code) => !codes(operation).has(code))).toEqual([]);
  },
);

test('every route that records a reference has reference_reused', () => {
  const recording = names.filter((name) => operations[name].statuses.includes(201) && hasReference(name));
  expect(recording.filter((name) => !codes(name).has('reference_reused'))).toEqual([]);
  expect(recording.length).toBeGreaterThan(20);
});

function hasReference(name: RouteName): boolean {
  const route = routes[name];
  if (!('body' in route) || route.body === undefined) return false;
  return Object.hasOwn(route.body.jsonSchema['properties'] as object, 'reference');
}
