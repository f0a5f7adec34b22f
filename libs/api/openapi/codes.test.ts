import { describe, expect, test } from '@jest/globals';
import { codesOf } from '#libs/api/openapi/codes.ts';
import { operations } from '#libs/api/openapi/operations.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { refusedByState } from '#libs/ledger/states-table.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

const names = Object.keys(routes) as RouteName[];
const codes = (name: RouteName): ReadonlySet<RefusalCode> => codesOf(routes[name], operations[name]);
const thatRefuse = (code: RefusalCode): RouteName[] => names.filter((name) => codes(name).has(code));

describe('of the route itself', () => {
  test('whoever needs a key may be told that it is unusable, another’s or too often used', () => {
    const closed = names.filter((name) => !routes[name].open);
    for (const code of ['unauthenticated', 'not_permitted_tenant', 'rate_exceeded', 'too_many_concurrent'] as const) {
      expect(thatRefuse(code)).toEqual(closed);
    }
  });

  test('a read key is too little for every method but GET', () => {
    const written = names.filter((name) => routes[name].method !== 'GET');
    expect(thatRefuse('not_permitted_scope')).toEqual(written);
    expect(thatRefuse('not_permitted_agent')).toEqual(['pointLookupKey', 'removeLookupKey']);
  });

  test('only a body has a media type and members', () => {
    const bodies = names.filter((name) => 'body' in routes[name]);
    for (const code of ['unsupported_media_type', 'invalid_body', 'unknown_field', 'missing_field'] as const) {
      expect(bodies.filter((name) => !codes(name).has(code))).toEqual([]);
    }
    expect(thatRefuse('unsupported_media_type')).toEqual(bodies);
  });

  test('a name that breaks its grammar is absent from a read and refused by a write', () => {
    expect(codes('readClient').has('invalid_identifier')).toBe(false);
    expect(codes('readClient').has('not_found')).toBe(true);
    expect(codes('registerClient').has('invalid_identifier')).toBe(true);
    expect(codes('registerClient').has('not_found')).toBe(false);
  });

  test('a day that is left out has the code its route gives it', () => {
    expect(thatRefuse('outside_loan')).toEqual(['readPaymentOptions']);
    expect(codes('readBar').has('invalid_application')).toBe(true);
    expect(codes('readStatement').has('missing_field')).toBe(true);
  });

  test('the two keyed routes alone find a key used for another request', () => {
    expect(thatRefuse('idempotency_mismatch')).toEqual(['createConfiguration', 'writeConfigurationVersion']);
  });

  test('whoever asks after the health of the service states no version', () => {
    const without = names.filter((name) => !codes(name).has('invalid_contract_version'));
    expect(without).toEqual(['readLiveness', 'readReadiness']);
  });
});

test('an act may be refused with every code that the table of states has for it', () => {
  const missing = refusedByState('written_off').filter((code) => !codes('writeOffLoan').has(code));
  expect(missing).toEqual([]);
  expect(refusedByState('written_off')).toContain('loan_closed');
  expect(refusedByState('returned')).not.toContain('loan_closed');
});

test('a reference can be reused wherever one is stated to be recorded', () => {
  const stating = names.filter((name) => operations[name].statuses.includes(201) && statesReference(name));
  expect(stating.filter((name) => !codes(name).has('reference_reused'))).toEqual([]);
  expect(stating.length).toBeGreaterThan(20);
});

function statesReference(name: RouteName): boolean {
  const route = routes[name];
  if (!('body' in route) || route.body === undefined) return false;
  return Object.hasOwn(route.body.jsonSchema['properties'] as object, 'reference');
}
