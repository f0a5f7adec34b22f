/** A lender that decides credit: a policy of its own, published and adopted, and applicants of every kind. */
import { content, earning, known, sound } from '#libs/credit/testing/example.ts';
import { type Desk, mustBe, newReference, pesos } from './desk.ts';
import { account, type Pin } from './given-loans.ts';
import type { Told } from './tenant.ts';

/** What the example policy makes of each. */
export const applicants = {
  good: earning(30_000, 24).attributes,
  fair: earning(10_000, 24).attributes,
  unsure: earning(5_000, 24).attributes,
  poor: earning(5_000, 3).attributes,
  defaulted: { ...sound, write_offs: known(1) },
  minor: { ...sound, age: known(17) },
} as const;

export type Applicant = keyof typeof applicants;

export interface Adopting {
  readonly policy?: string;
  readonly enforceBar?: boolean;
  readonly content?: object;
}

export class Underwriter {
  readonly desk: Desk;
  readonly pin: Pin;

  constructor(desk: Desk, pin: Pin) {
    this.desk = desk;
    this.pin = pin;
  }

  /** Drafted by one person, published by another, adopted for the product. */
  async adopt({ policy = 'retail', enforceBar = false, content: stated = content }: Adopting = {}): Promise<number> {
    const version = await this.draft(policy, stated);
    const path = `/credit-policies/${policy}/versions/${version}/publication`;
    mustBe(await this.desk.tenant.post(path, account({ actor: 'head-of-risk' })), 201);
    const adoption = account({ policy, version, enforce_bar: enforceBar });
    mustBe(await this.desk.tenant.put(`/product-configurations/${this.pin.id}/policy`, adoption), 201);
    return version;
  }

  async draft(policy: string, stated: object = content): Promise<number> {
    const path = `/credit-policies/${policy}/versions`;
    return mustBe(await this.desk.tenant.post(path, account({ content: stated })), 201).body.version;
  }

  application(clientId: string, applicant: Applicant, over: object = {}): object {
    return account({
      reference: newReference('application'),
      client_id: clientId,
      configuration_id: this.pin.id,
      configuration_version: this.pin.version,
      principal: pesos(1_000_000),
      submitted_on: '2026-03-01',
      attributes: applicants[applicant],
      sources: ['bureau'],
      ...over,
    });
  }

  apply(clientId: string, applicant: Applicant, over: object = {}): Promise<Told> {
    return this.desk.tenant.post('/credit-decisions', this.application(clientId, applicant, over));
  }

  async decided(clientId: string, applicant: Applicant, over: object = {}) {
    return mustBe(await this.apply(clientId, applicant, over), 201).body;
  }

  resolve(decisionId: string, stated: object): Promise<Told> {
    return this.desk.tenant.post(`/credit-decisions/${decisionId}/resolution`, account(stated));
  }

  facility(clientId: string, decisionId: string, over: object = {}): object {
    return account({
      reference: newReference('facility'),
      client_id: clientId,
      decision_id: decisionId,
      amount: pesos(1_500_000),
      opens_on: '2026-01-01',
      expires_on: '2026-12-31',
      ...over,
    });
  }

  open(clientId: string, decisionId: string, over: object = {}): Promise<Told> {
    return this.desk.tenant.post('/facilities', this.facility(clientId, decisionId, over));
  }

  async opened(clientId: string, decisionId: string, over: object = {}) {
    return mustBe(await this.open(clientId, decisionId, over), 201).body;
  }

  /** A Client with an approval for a line, and the line. */
  async line(over: object = {}) {
    const clientId = await this.desk.client();
    const { id: decisionId } = await this.decided(clientId, 'good', { limit: true });
    const line = await this.opened(clientId, decisionId, { line: true, ...over });
    return { clientId, decisionId, id: String(line.id) };
  }

  /** An issuance under a facility, at its rate. */
  async draw(clientId: string, facilityId: string, over: object = {}): Promise<Told> {
    const { rate: _, ...terms } = await this.desk.terms(clientId, { facility_id: facilityId, ...over }, this.pin);
    return this.desk.tenant.post('/loans', terms);
  }
}
