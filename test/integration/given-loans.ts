/** A product, a Client and a Loan to begin a journey from. */
import { leastValues } from '#libs/product/given.ts';
import type { Tenant, Told } from './tenant.ts';

export const instalment = {
  archetype: 'instalment',
  values: { ...leastValues.instalment, rate_min: '0', rate_max: '60', terms: [1, 3, 6, 12], tolerance_days: 0 },
};

export interface Pin {
  readonly id: string;
  readonly version: number;
}

export function register(tenant: Tenant, clientId: string): Promise<Told> {
  return tenant.put(`/clients/${clientId}`, { actor: 'ana', basis: 'signed the contract' });
}

export function anInstalmentLoan({ id, version }: Pin, clientId: string, reference: string, over: object = {}): object {
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

let acts = 0;

/** The account every act gives of itself, under a reference of its own. */
export function account(over: object = {}): object {
  acts += 1;
  return { reference: `act-${Date.now()}-${acts}`, actor: 'ana', basis: 'as agreed', ...over };
}
