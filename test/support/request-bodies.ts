/** Request bodies that most tests start from: a product, a Client, a Loan, and who did it and why. */
import { minimalValues } from '#libs/product/testing/example-products.ts';
import type { Tenant, TestResponse } from './tenant.ts';

export const instalmentProduct = {
  archetype: 'instalment',
  values: { ...minimalValues.instalment, rate_min: '0', rate_max: '60', terms: [1, 3, 6, 12], tolerance_days: 0 },
};

export interface ProductVersion {
  readonly id: string;
  readonly version: number;
}

export function registerClient(tenant: Tenant, clientId: string): Promise<TestResponse> {
  return tenant.put(`/clients/${clientId}`, { actor: 'ana', basis: 'signed the contract' });
}

export function loanBody(
  { id, version }: ProductVersion,
  clientId: string,
  reference: string,
  over: object = {},
): object {
  return {
    reference,
    client_id: clientId,
    configuration_id: id,
    configuration_version: version,
    principal: { minor_units: 10_000_00, currency: 'MXN' },
    term_periods: 12,
    rate: '36',
    penalty_rate: '0',
    anchor: '2026-01-15',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest'] },
    ...over,
  };
}

let actCount = 0;

/** The body with the members every act has: a new reference, the actor and the basis. */
export function attributed(body: object = {}): object {
  actCount += 1;
  return { reference: `act-${Date.now()}-${actCount}`, actor: 'ana', basis: 'as agreed', ...body };
}
