/** A lender whose every text holds markup, with the ids by which pages of the console show it. */
import { generateKey } from '#libs/auth/signer.ts';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { policyContent } from '#libs/credit/testing/example.ts';
import { CreditWorkflow } from '../support/credit-workflow.ts';
import { Lender, pesos, requireStatus } from '../support/lender.ts';
import { attributed, loanBody } from '../support/request-bodies.ts';
import { testEnvironment } from '../support/tenant.ts';

/** Closes an attribute, and would run in three ways. */
export const markup = `"'><img src=x data-xss onerror=alert(1)><script data-xss>alert(2)</script>`;

export interface MarkedLender {
  readonly lender: Lender;
  /** By the names of the parameters in the paths of the console. */
  readonly ids: Readonly<Record<string, string>>;
  /** In texts of this lender, and in no path. */
  readonly mark: string;
}

/** Texts of a policy are its only values with a space; names and comparisons are words. Units are short. */
function markTexts<Value>(value: Value, mark: string): Value {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    if (typeof each !== 'string' || !each.includes(' ')) return each;
    return key === 'unit' ? markup.slice(0, 64) : `${each} ${mark} ${markup}`;
  }) as Value;
}

const profileFields = ['legal_name', 'trade_name', 'tax_id', 'address', 'contact'];

export async function openMarkedLender(name: string): Promise<MarkedLender> {
  const mark = `of lender ${name}`;
  const lender = await Lender.open(testEnvironment(), { name: `name ${mark} ${markup}` });
  const { tenant } = lender;
  const context = { note: `note ${mark} ${markup}`, [markup]: [markup] };
  const account = { actor: 'ana', basis: `agreed ${mark} ${markup}`, context };
  const client = `client-${name}`;
  requireStatus(await tenant.put(`/clients/${client}`, account), 201);
  const profile = Object.fromEntries(profileFields.map((field) => [field, `${field} ${mark} ${markup}`]));
  requireStatus(await tenant.put('/company-profile', profile), 200);
  const product = await lender.createProduct('instalment');
  const loanReference = `loan ${mark} ${markup}`;
  const loan = requireStatus(await tenant.post('/loans', loanBody(product, client, loanReference, { context })), 201);
  const act = { ...account, on: '2026-02-01', reference: `waiver ${mark} ${markup}` };
  const waiver = { ...act, amount: pesos(1), charge: 'interest', period: 1 };
  await tenant.post(`/loans/${loan.body.id}/waiver`, waiver);
  const receiptReference = `receipt ${name} ${markup}`;
  const receipt = {
    ...{ reference: receiptReference, client_id: client, amount: pesos(100_00), value_date: '2026-03-01' },
    ...{ provider_reference: `provider ${mark} ${markup}`, context },
  };
  requireStatus(await tenant.post('/receipts', receipt), 201);
  const reversal = attributed({ ...account, reason: 'chargeback', reference: `reversal ${mark} ${markup}` });
  requireStatus(await tenant.post(`/receipts/${encodeURIComponent(receiptReference)}/reversal`, reversal), 201);
  const credit = new CreditWorkflow(lender, product);
  const policy = `policy-${name}`;
  await credit.adopt({ policy, content: markTexts(policyContent, mark) });
  const application = { ...account, reference: `application ${mark} ${markup}`, sources: [markup] };
  await credit.decide(client, 'good', application);
  const { publicKey } = generateKey('test');
  const key = { tenantId: tenant.id, publicKey, scope: 'read', holder: 'service', label: `${mark} ${markup}` } as const;
  await tenant.administration.mintKey(`operator ${markup}`, key);
  return {
    lender,
    ids: {
      ...{ tenant: tenant.id, client, loan: String(loan.body.id), reference: receiptReference },
      ...{ request: String(loan.headers['request-id']), configuration: product.id, policy },
      ...{
        book: `c/${client}`,
        fp: fingerprint(publicKey),
        sequence: '1',
        token: 'A'.repeat(43),
        kind: 'receipts',
        name: receiptReference,
      },
    },
    mark,
  };
}
