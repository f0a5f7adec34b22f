/** The products of the demo lender, the lookup keys under which its shop asks for them, and its company profile. */
import { fromAnswer, pesos, type Step, type StepValue } from './step.ts';

/** A version of a product as Loans are issued under it. */
export interface DemoProduct {
  readonly configuration: string;
  readonly version: number;
  /** Days between two payments; a month where it is left out. */
  readonly intervalDays?: number;
  readonly tax: { readonly rate: string; readonly on: readonly string[] };
}

const vat = (...on: string[]) => ({ rate: '16', on });

/** README.md makes its example under the first version of the first product: keep them the first in the Tenancy. */
export const personal: DemoProduct = { configuration: 'demo-personal', version: 2, tax: vat('interest', 'penalty') };
export const payroll: DemoProduct = {
  configuration: 'demo-payroll',
  version: 1,
  intervalDays: 14,
  tax: vat('interest', 'fee', 'late_fee'),
};
export const payInFour: DemoProduct = {
  configuration: 'demo-pay-in-4',
  version: 2,
  intervalDays: 14,
  tax: vat('late_fee'),
};
export const advance: DemoProduct = {
  configuration: 'demo-advance',
  version: 1,
  intervalDays: 30,
  tax: vat('interest', 'fee', 'late_fee'),
};
export const creditLine: DemoProduct = { configuration: 'demo-line', version: 1, tax: vat('interest', 'penalty') };

export const merchants = ['muebles-garcia', 'electro-norte', 'zapateria-leon'];

const personalValues = {
  principal_min: pesos(1_000),
  principal_max: pesos(100_000),
  rate_min: '12',
  rate_max: '60',
  penalty_rate_min: '72',
  penalty_rate_max: '72',
  terms: [3, 6, 12],
};

const payInFourValues = {
  principal_min: pesos(300),
  principal_max: pesos(20_000),
  rate_max: '0',
  terms: [4],
  late_fee: pesos(50),
  down_payment_max_bps: 2_500,
};

const payrollValues = {
  principal_min: pesos(2_000),
  principal_max: pesos(60_000),
  rate_min: '24',
  rate_max: '36',
  terms: [6, 12, 24],
  schedule: { kind: 'anchored_every_n_days', interval_days: 14 },
  origination_fee: pesos(200),
  late_fee: pesos(150),
  tolerance_days: 2,
  early_money_treatment: 'shortens_term',
};

const advanceValues = {
  principal_min: pesos(500),
  principal_max: pesos(6_000),
  rate_min: '60',
  rate_max: '120',
  late_fee: pesos(100),
  rollover_fee: pesos(50),
  max_rollovers: 2,
  max_open_loans_per_client: 1,
};

const creditLineValues = {
  principal_min: pesos(500),
  principal_max: pesos(80_000),
  rate_min: '24',
  rate_max: '60',
  penalty_rate_min: '60',
  penalty_rate_max: '60',
  terms: [3, 6, 12],
  tolerance_days: 3,
};

/** In this order, one after the other: identifiers count in the order of creation. */
export function productSteps(): readonly Step[] {
  return [
    createProduct(personal, 'instalment', personalValues),
    newVersion(personal, { ...personalValues, terms: [3, 6, 12, 18], tolerance_days: 3, withdrawal_days: 14 }),
    createProduct(payroll, 'instalment', payrollValues),
    createProduct(payInFour, 'bnpl', payInFourValues),
    newVersion(payInFour, { ...payInFourValues, terms: [4, 6] }),
    createProduct(advance, 'payday', advanceValues),
    createProduct(creditLine, 'instalment', creditLineValues),
    pointKey('personal', personal),
    pointKey('nomina', payroll),
    pointKey('compra-en-4', payInFour),
    pointKey('adelanto', advance),
    pointKey('linea', creditLine),
    {
      name: 'demo-company-profile',
      route: 'putCompanyProfile',
      at: {},
      body: {
        legal_name: 'Crédito Cercano Demo, S.A. de C.V., SOFOM, E.N.R.',
        trade_name: 'Crédito Cercano',
        tax_id: 'CCD190101AB1',
        address: { street: 'Av. Reforma 222', city: 'Ciudad de México', postal_code: '06600', country: 'MX' },
        contact: { email: 'atencion@credito-cercano.example', phone: '+52 55 5555 0100' },
      },
    },
  ];
}

function createProduct({ configuration }: DemoProduct, archetype: string, values: StepValue): Step {
  return { name: configuration, route: 'createConfiguration', at: {}, body: { archetype, values } };
}

function newVersion({ configuration, version }: DemoProduct, values: StepValue): Step {
  return {
    name: `${configuration}-${version}`,
    route: 'writeConfigurationVersion',
    at: { configuration_id: fromAnswer(configuration, 'id') },
    body: { values },
  };
}

function pointKey(key: string, { configuration, version }: DemoProduct): Step {
  return {
    name: `demo-key-${key}`,
    route: 'pointLookupKey',
    at: { lookup_key: key },
    body: { configuration_id: fromAnswer(configuration, 'id'), configuration_version: version },
  };
}
