import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import { decidingVersion } from '#libs/credit/lifecycle.ts';
import { content } from '#libs/credit/testing/example.ts';
import type { AnswerRecord, NewFact, StoredFact, Submission } from '#libs/ledger/book-decider.ts';
import { leastValues, noon } from '#libs/product/given.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { tenancyKind } from '#libs/tenant/tenancy-book.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book-state.ts';

const kind = tenancyKind();
const opening = { name: 'Acme', live: false, jurisdiction: 'MX', time_zone: 'America/Mexico_City', bounds: null };
const key = { fp: 'a'.repeat(32), public_key: 'b'.repeat(64), scope: 'write', holder: 'service', label: 'first' };

const account = { actor: 'ana', basis: 'the committee said so' };

const firstVersion = { configuration_id: 'ins-000001', configuration_version: 1 };
const adoption = { ...account, reference: 'a1', policy: 'retail', version: 2, enforce_bar: true };

function submission(operation: string, body: JsonObject, params: Submission['params'] = {}): Submission {
  const resolved = { digest: 'a digest' };
  return { tenantId: 'acme', bookId: 't', operation, params, body, digest: '', ids: [], resolved, actor: 'ana' };
}

/** Takes the turns one after the other; what is refused leaves the book as it was. */
class Turns {
  book: TenancyBook;
  readonly facts: StoredFact[];
  answer: AnswerRecord | undefined;
  code: string | undefined;

  constructor(after?: Turns) {
    this.book = after?.book ?? kind.empty('acme', 't');
    this.facts = [...(after?.facts ?? [])];
  }

  take(operation: string, body: JsonObject, params: Submission['params'] = {}): this {
    const at = (noon + this.facts.length) as Moment;
    const decided = kind.decide(this.book, submission(operation, body, params), at);
    this.code = isRefusal(decided) ? decided.code : undefined;
    if (isRefusal(decided)) return this;
    this.answer = decided.answer();
    this.book = decided.book;
    this.facts.push(
      ...decided.facts.map((fact: NewFact, more) => ({
        ...fact,
        sequence: this.facts.length + more + 1,
        recordedAt: at,
      })),
    );
    return this;
  }
}

function opened(): Turns {
  return new Turns().take('openTenancy', opening);
}

describe("the Tenancy's book", () => {
  test('a Tenancy is opened once; asked again with the same words it is there already', () => {
    const turns = opened();
    expect(turns.answer?.status).toBe(201);
    expect(turns.take('openTenancy', opening).answer?.status).toBe(200);
    expect(turns.facts).toHaveLength(1);
    expect(turns.take('openTenancy', { ...opening, jurisdiction: 'XX' }).code).toBe('reference_reused');
  });

  test('nothing is recorded in a Tenancy that was never opened', () => {
    expect(new Turns().take('mintKey', key).code).toBe('not_found');
  });

  test('a Tenancy cannot be opened under a law nobody supplied', () => {
    expect(new Turns().take('openTenancy', { ...opening, jurisdiction: 'XX' }).code).toBe('invalid_field');
  });

  test('a revoked key stays revoked, however often it is minted or revoked again', () => {
    const turns = opened().take('mintKey', key).take('revokeKey', { fp: key.fp });
    const revokedAt = turns.book.keys.get(key.fp)?.revokedAt;
    expect(revokedAt).not.toBeNull();
    turns.take('mintKey', key).take('revokeKey', { fp: key.fp });
    expect(turns.facts).toHaveLength(3);
    expect(turns.book.keys.get(key.fp)?.revokedAt).toBe(revokedAt);
  });

  test('a key that was never minted cannot be revoked', () => {
    expect(opened().take('revokeKey', { fp: key.fp }).code).toBe('not_found');
  });

  test('configurations are numbered over the whole Tenancy, and a refused one takes no number', () => {
    const turns = opened()
      .take('createConfiguration', { archetype: 'instalment', values: leastValues.instalment })
      .take('createConfiguration', { archetype: 'bnpl', values: {} });
    expect(turns.code).toBe('missing_field');
    turns.take('createConfiguration', { archetype: 'bnpl', values: leastValues.bnpl });
    expect(JSON.parse(turns.answer?.body ?? '')).toMatchObject({ id: 'bnp-000002', version: 1, tenant_id: 'acme' });
  });

  test('only what changed is written to the tables that follow the book', () => {
    const turns = opened().take('createConfiguration', { archetype: 'bnpl', values: leastValues.bnpl });
    const before = turns.book;
    turns.take('writeConfigurationVersion', { values: leastValues.bnpl }, { configuration_id: 'bnp-000001' });
    const { tenancies, keys, configurations } = kind.derive(before, turns.book);
    expect([tenancies, keys]).toEqual([[], []]);
    expect(configurations?.map((row) => [row.configurationId, row.version])).toEqual([['bnp-000001', 2]]);
  });

  test('a key is pointed, moved and removed, and every answer is the key as it reads with its version', () => {
    const turns = opened().take('createConfiguration', { archetype: 'instalment', values: leastValues.instalment });
    const told = () => ({ status: turns.answer?.status, ...(JSON.parse(turns.answer?.body ?? '') as JsonObject) });
    const path = { lookup_key: 'winter' };
    turns.take('pointLookupKey', firstVersion, path);
    const key = { lookup_key: 'winter', ...firstVersion, latest_version: 1, version: { id: 'ins-000001', version: 1 } };
    expect(told()).toMatchObject({ status: 201, ...key });
    expect(turns.take('pointLookupKey', firstVersion, path).facts).toHaveLength(3);
    expect(told()).toMatchObject({ status: 200, ...key });

    turns.take('writeConfigurationVersion', { values: leastValues.instalment }, { configuration_id: 'ins-000001' });
    const second = { ...firstVersion, configuration_version: 2 };
    expect(turns.take('pointLookupKey', second, path).code).toBe('lookup_key_taken');
    turns.take('pointLookupKey', { ...second, transfer: true }, path);
    const moved = { lookup_key: 'winter', ...second, latest_version: 2, version: { version: 2 } };
    expect(told()).toMatchObject({ status: 200, ...moved });
    turns.take('removeLookupKey', {}, path);
    expect(told()).toMatchObject({ status: 200, ...moved });
    expect(turns.take('removeLookupKey', {}, path).code).toBe('not_found');
    expect(turns.take('pointLookupKey', firstVersion, path).answer?.status).toBe(201);
    expect(turns.book.lookupKeys.get('winter')).toHaveLength(4);
  });

  test('a profile is replaced whole, and put again as it stands it is recorded once', () => {
    const turns = opened().take('putCompanyProfile', { legal_name: 'Acme', tax_id: 'X1', vat_rate_bps: 1600 });
    expect(JSON.parse(turns.answer?.body ?? '')).toEqual({ legal_name: 'Acme', tax_id: 'X1' });
    expect(turns.take('putCompanyProfile', { tax_id: 'X1', legal_name: 'Acme' }).facts).toHaveLength(2);
    turns.take('putCompanyProfile', { legal_name: 'Acme' });
    expect(turns.answer).toEqual({ status: 200, body: '{"legal_name":"Acme"}' });
    expect(turns.facts).toHaveLength(3);
  });

  test('the policy of a configuration decides once its version is published, and reads whole when asked again', () => {
    const drafting = { ...account, reference: 'd1', content };
    const turns = opened()
      .take('createConfiguration', { archetype: 'bnpl', values: leastValues.bnpl })
      .take('draftPolicyVersion', drafting, { policy: 'retail' });
    const row = { policy: 'retail', version: 1, digest: 'a digest', drafted_by: 'ana', created_at: expect.any(String) };
    expect(JSON.parse(turns.answer?.body ?? '')).toEqual({ ...row, published: false });
    const adopting = { ...adoption, version: 1 };
    expect(turns.take('adoptPolicy', adopting, { configuration_id: 'bnp-000001' }).code).toBe('no_policy');
    const publication = { ...account, actor: 'bruno', reference: 'p1' };
    turns.take('publishPolicyVersion', publication, { policy: 'retail', policy_version: '1' });
    expect(turns.take('adoptPolicy', adopting, { configuration_id: 'bnp-000001' }).answer?.status).toBe(201);
    expect(decidingVersion(turns.book.policies, { configuration_id: 'bnp-000001' })).toMatchObject({ binding: true });

    const recorded = { bookId: 't', digest: '', kind: 'policy_drafted', subject: 'retail/1', sequence: 3 };
    const again = kind.currentRecord(turns.book, submission('draftPolicyVersion', drafting), recorded);
    expect(again.status).toBe(200);
    expect(JSON.parse(again.body)).toMatchObject({
      ...row,
      published: true,
      published_by: 'bruno',
      self_confirmed: false,
    });
  });

  test('whoever looks at a content before drafting it is told the same digest, and nothing is recorded', () => {
    const turns = opened().take('validatePolicy', { content }, { policy: 'retail' });
    expect(JSON.parse(turns.answer?.body ?? '')).toMatchObject({ digest: 'a digest' });
    expect(turns.facts).toHaveLength(1);
  });

  test('what was recorded keeps who did it, why, and what they said beside it', () => {
    const drafting = { ...account, reference: 'd1', content, context: { ticket: 7 } };
    const turns = opened().take('draftPolicyVersion', drafting, { policy: 'retail' });
    const { act } = JSON.parse(turns.facts.at(-1)?.body ?? '') as { act: JsonObject };
    expect(act).toEqual({ ...account, reference: 'd1', context: { ticket: 7 } });
  });

  test('whatever happens after it, a drafted version stays as it was drafted and a published one published', () => {
    const policy = fc.constantFrom('retail', 'card');
    const version = fc.integer({ min: 1, max: 4 });
    const draft = fc.record({ act: fc.constant('draft' as const), policy, points: fc.integer() });
    const publish = fc.record({ act: fc.constant('publish' as const), policy, version });
    const adopt = fc.record({ act: fc.constant('adopt' as const), policy, version });
    const product = opened().take('createConfiguration', { archetype: 'instalment', values: leastValues.instalment });
    fc.assert(
      fc.property(fc.array(fc.oneof(draft, publish, adopt), { maxLength: 20 }), (steps) => {
        const turns = new Turns(product);
        let before = turns.book;
        for (const step of steps) {
          const path = { policy: step.policy, ...('version' in step ? { policy_version: String(step.version) } : {}) };
          if (step.act === 'draft') {
            turns.take('draftPolicyVersion', { ...account, content: { ...content, base_points: step.points } }, path);
          } else if (step.act === 'publish') {
            turns.take('publishPolicyVersion', account, path);
          } else {
            turns.take('adoptPolicy', { ...adoption, ...step }, { configuration_id: 'ins-000001' });
          }
          for (const [name, versions] of before.policies.versions) {
            for (const [at, { publication, ...drafted }] of versions.entries()) {
              const now = turns.book.policies.versions.get(name)?.[at];
              expect({ ...now, publication: undefined }).toEqual(drafted);
              if (publication !== undefined) expect(now?.publication).toEqual(publication);
            }
          }
          before = turns.book;
        }
        expect(kind.decode(kind.encode(turns.book))).toEqual(turns.book);
      }),
      { numRuns: 60 },
    );
  });

  test('the book read back from its facts, or from its snapshot, is the book that decided them', () => {
    const turns = opened()
      .take('setBounds', { bounds: { concurrent: 4, patience_ms: 100, per_second: 9, burst: 9 } })
      .take('mintKey', key)
      .take('createConfiguration', { archetype: 'instalment', values: leastValues.instalment })
      .take('writeConfigurationVersion', { values: leastValues.instalment }, { configuration_id: 'ins-000001' })
      .take('draftPolicyVersion', { ...account, reference: 'd1', content }, { policy: 'retail' })
      .take('draftPolicyVersion', { ...account, reference: 'd2', content }, { policy: 'other' })
      .take('draftPolicyVersion', { ...account, reference: 'd3', content }, { policy: 'retail' })
      .take('publishPolicyVersion', { ...account, reference: 'p1' }, { policy: 'retail', policy_version: '2' })
      .take('adoptPolicy', adoption, { configuration_id: 'ins-000001' })
      .take('pointLookupKey', firstVersion, { lookup_key: 'winter' })
      .take('pointLookupKey', firstVersion, { lookup_key: 'spring' })
      .take('removeLookupKey', {}, { lookup_key: 'winter' })
      .take('putCompanyProfile', { legal_name: 'Acme Credit', contact: { email: 'a@acme.example' } })
      .take('revokeKey', { fp: key.fp });
    expect(turns.facts.map((fact) => fact.kind)).toHaveLength(15);
    const folded = turns.facts.reduce((book, fact) => kind.replay(book, fact), kind.empty('acme', 't'));
    expect(folded).toEqual(turns.book);
    expect(kind.decode(kind.encode(turns.book))).toEqual(turns.book);
  });

  test('a snapshot of another format is dropped', () => {
    const text = kind.encode(opened().book).replace(/"format":\d+/, '"format":0');
    expect(kind.decode(text)).toBeUndefined();
  });
});
