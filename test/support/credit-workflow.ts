/** The steps of granting credit: draft and adopt a policy, apply, resolve, open a facility, draw a Loan. */
import { goodAttributes, known, policyContent, withIncome } from '#libs/credit/testing/example.ts';
import { type Lender, pesos, requireStatus, uniqueReference } from './lender.ts';
import { attributed, type ProductVersion } from './request-bodies.ts';
import type { TestResponse } from './tenant.ts';

/** Applicants by what the example policy decides about them. */
export const applicants = {
  good: withIncome(30_000, 24).attributes,
  fair: withIncome(10_000, 24).attributes,
  unsure: withIncome(5_000, 24).attributes,
  poor: withIncome(5_000, 3).attributes,
  defaulted: { ...goodAttributes, write_offs: known(1) },
  minor: { ...goodAttributes, age: known(17) },
} as const;

export type Applicant = keyof typeof applicants;

export interface AdoptionOptions {
  readonly policy?: string;
  readonly enforceBar?: boolean;
  readonly content?: object;
}

export class CreditWorkflow {
  readonly lender: Lender;
  readonly product: ProductVersion;

  constructor(lender: Lender, product: ProductVersion) {
    this.lender = lender;
    this.product = product;
  }

  /** Drafts a policy version, publishes it by another person and adopts it for the product. */
  async adopt({
    policy = 'retail',
    enforceBar = false,
    content = policyContent,
  }: AdoptionOptions = {}): Promise<number> {
    const version = await this.draft(policy, content);
    const path = `/credit-policies/${policy}/versions/${version}/publication`;
    requireStatus(await this.lender.tenant.post(path, attributed({ actor: 'head-of-risk' })), 201);
    const adoption = attributed({ policy, version, enforce_bar: enforceBar });
    requireStatus(await this.lender.tenant.put(`/product-configurations/${this.product.id}/policy`, adoption), 201);
    return version;
  }

  async draft(policy: string, content: object = policyContent): Promise<number> {
    const path = `/credit-policies/${policy}/versions`;
    return requireStatus(await this.lender.tenant.post(path, attributed({ content })), 201).body.version;
  }

  applicationBody(clientId: string, applicant: Applicant, over: object = {}): object {
    return attributed({
      reference: uniqueReference('application'),
      client_id: clientId,
      configuration_id: this.product.id,
      configuration_version: this.product.version,
      principal: pesos(1_000_000),
      submitted_on: '2026-03-01',
      attributes: applicants[applicant],
      sources: ['bureau'],
      ...over,
    });
  }

  apply(clientId: string, applicant: Applicant, over: object = {}): Promise<TestResponse> {
    return this.lender.tenant.post('/credit-decisions', this.applicationBody(clientId, applicant, over));
  }

  async decide(clientId: string, applicant: Applicant, over: object = {}) {
    return requireStatus(await this.apply(clientId, applicant, over), 201).body;
  }

  resolve(decisionId: string, body: object): Promise<TestResponse> {
    return this.lender.tenant.post(`/credit-decisions/${decisionId}/resolution`, attributed(body));
  }

  facilityBody(clientId: string, decisionId: string, over: object = {}): object {
    return attributed({
      reference: uniqueReference('facility'),
      client_id: clientId,
      decision_id: decisionId,
      amount: pesos(1_500_000),
      opens_on: '2026-01-01',
      expires_on: '2026-12-31',
      ...over,
    });
  }

  requestFacility(clientId: string, decisionId: string, over: object = {}): Promise<TestResponse> {
    return this.lender.tenant.post('/facilities', this.facilityBody(clientId, decisionId, over));
  }

  async openFacility(clientId: string, decisionId: string, over: object = {}) {
    return requireStatus(await this.requestFacility(clientId, decisionId, over), 201).body;
  }

  /** A new Client with an approval that sets a limit, and the credit line opened on it. */
  async openCreditLine(over: object = {}) {
    const clientId = await this.lender.client();
    const { id: decisionId } = await this.decide(clientId, 'good', { limit: true });
    const line = await this.openFacility(clientId, decisionId, { line: true, ...over });
    return { clientId, decisionId, id: String(line.id) };
  }

  /** Issues a Loan under a facility, at the facility's rate. */
  async draw(clientId: string, facilityId: string, over: object = {}): Promise<TestResponse> {
    const { rate: _, ...terms } = await this.lender.loanTerms(
      clientId,
      { facility_id: facilityId, ...over },
      this.product,
    );
    return this.lender.tenant.post('/loans', terms);
  }
}
