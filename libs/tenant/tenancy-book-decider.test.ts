import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import { decidingVersion } from '#libs/credit/policy-lifecycle.ts';
import { policyContent } from '#libs/credit/testing/example.ts';
import type { AnswerRecord, NewFact, StoredFact, Submission } from '#libs/ledger/book-decider.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { minimalValues, noon } from '#libs/product/testing/example-products.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';
import { tenancyBookDecider } from '#libs/tenant/tenancy-book-decider.ts';

const decider = tenancyBookDecider();
const opening = { name: 'Acme', live: false, jurisdiction: 'MX', time_zone: 'America/Mexico_City', bounds: null };
const key = { fp: 'a'.repeat(32), public_key: 'b'.repeat(64), scope: 'write', holder: 'service', label: 'first' };

const account = { actor: 'ana', basis: 'approved by the committee' };

const firstVersion = { configuration_id: 'ins-000001', configuration_version: 1 };
const adoption = { ...account, reference: 'a1', policy: 'retail', version: 2, enforce_bar: true };

function submission(operation: string, body: JsonObject, params: Submission['params'] = {}): Submission {
  const resolved = { digest: 'a digest' };
  return { tenantId: 'acme', bookId: 't', operation, params, body, digest: '', ids: [], resolved, actor: 'ana' };
}

/** A Tenancy's book after the submissions so far. A refused submission leaves it unchanged. */
class TenancyScenario {
  book: TenancyBook;
  readonly facts: StoredFact[];
  answer: AnswerRecord | undefined;
  code: string | undefined;

  constructor(after?: TenancyScenario) {
    this.book = after?.book ?? decider.empty('acme', 't');
    this.facts = [...(after?.facts ?? [])];
  }

  submit(operation: string, body: JsonObject, params: Submission['params'] = {}): this {
    const at = (noon + this.facts.length) as Moment;
    const decided = decider.decide(this.book, submission(operation, body, params), at);
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

function openTenancy(): TenancyScenario {
  return new TenancyScenario().submit('openTenancy', opening);
}

describe("the Tenancy's book", () => {
  test('opening a Tenancy again with the same values records nothing, with others it is refused', () => {
    const tenancy = openTenancy();
    expect(tenancy.answer?.status).toBe(201);
    expect(tenancy.submit('openTenancy', opening).answer?.status).toBe(200);
    expect(tenancy.facts).toHaveLength(1);
    expect(tenancy.submit('openTenancy', { ...opening, jurisdiction: 'XX' }).code).toBe('reference_reused');
  });

  test('a Tenancy that is not open accepts no submission', () => {
    expect(new TenancyScenario().submit('mintKey', key).code).toBe('not_found');
  });

  test('a Tenancy cannot be opened in a jurisdiction without a market', () => {
    expect(new TenancyScenario().submit('openTenancy', { ...opening, jurisdiction: 'XX' }).code).toBe('invalid_field');
  });

  test('a live Tenancy cannot be opened in the test market ZZ, and a test Tenancy can', () => {
    const inZz = { ...opening, jurisdiction: 'ZZ' };
    expect(new TenancyScenario().submit('openTenancy', inZz).answer?.status).toBe(201);
    const decided = decider.decide(
      decider.empty('acme', 't'),
      submission('openTenancy', { ...inZz, live: true }),
      noon,
    );
    expect(decided).toMatchObject({
      code: 'invalid_field',
      details: { field: '/jurisdiction', bound: ['MX'], observed: 'ZZ' },
    });
  });

  test('a revoked key stays revoked when it is minted or revoked again', () => {
    const tenancy = openTenancy().submit('mintKey', key).submit('revokeKey', { fp: key.fp });
    const revokedAt = tenancy.book.keys.get(key.fp)?.revokedAt;
    expect(revokedAt).not.toBeNull();
    tenancy.submit('mintKey', key).submit('revokeKey', { fp: key.fp });
    expect(tenancy.facts).toHaveLength(3);
    expect(tenancy.book.keys.get(key.fp)?.revokedAt).toBe(revokedAt);
  });

  test('closing a Tenancy revokes all its keys for good, and is undone by opening it again', () => {
    const other = { ...key, fp: 'c'.repeat(32) };
    const tenancy = openTenancy().submit('mintKey', key).submit('mintKey', other).submit('revokeKey', { fp: key.fp });
    const revokedAt = tenancy.book.keys.get(key.fp)?.revokedAt;
    const before = tenancy.book;
    tenancy.submit('closeTenancy', { basis: 'contract ended' });
    expect(tenancy.facts.at(-1)).toMatchObject({ kind: 'tenancy_closed' });
    expect(JSON.parse(tenancy.facts.at(-1)?.body ?? '')).toEqual({
      basis: 'contract ended',
      keys: [other.fp],
      actor: 'ana',
    });
    expect(JSON.parse(tenancy.answer?.body ?? '')).toHaveProperty('closed_at');
    expect(tenancy.book.keys.get(key.fp)?.revokedAt).toBe(revokedAt);
    expect(decider.derive(before, tenancy.book).keys).toMatchObject([
      { fp: key.fp },
      { fp: other.fp, revokedAt: tenancy.book.closedAt },
    ]);

    for (const operation of ['mintKey', 'setBounds', 'openTenancy', 'putCompanyProfile']) {
      expect(tenancy.submit(operation, operation === 'openTenancy' ? opening : key).code).toBe('not_found');
    }
    const closed = tenancy.facts.length;
    tenancy.submit('closeTenancy', { basis: 'again' });
    expect([tenancy.facts.length, tenancy.answer?.status]).toEqual([closed, 200]);

    tenancy.submit('reopenTenancy', {}).submit('reopenTenancy', {});
    expect(tenancy.facts).toHaveLength(closed + 1);
    expect(tenancy.book.closedAt).toBeUndefined();
    expect(tenancy.submit('mintKey', other).answer?.status).toBe(200);
    expect(tenancy.book.keys.get(other.fp)?.revokedAt).not.toBeNull();
    expect(tenancy.submit('mintKey', { ...key, fp: 'd'.repeat(32) }).answer?.status).toBe(201);
  });

  test('a Tenancy that is not open cannot be closed', () => {
    expect(new TenancyScenario().submit('closeTenancy', { basis: 'none' }).code).toBe('not_found');
  });

  test('an unknown key cannot be revoked', () => {
    expect(openTenancy().submit('revokeKey', { fp: key.fp }).code).toBe('not_found');
  });

  test('configurations are numbered across products, and a refused one takes no number', () => {
    const tenancy = openTenancy()
      .submit('createConfiguration', { archetype: 'instalment', values: minimalValues.instalment })
      .submit('createConfiguration', { archetype: 'bnpl', values: {} });
    expect(tenancy.code).toBe('missing_field');
    tenancy.submit('createConfiguration', { archetype: 'bnpl', values: minimalValues.bnpl });
    expect(JSON.parse(tenancy.answer?.body ?? '')).toMatchObject({ id: 'bnp-000002', version: 1, tenant_id: 'acme' });
  });

  test('only changed rows are written to the derived tables', () => {
    const tenancy = openTenancy().submit('createConfiguration', { archetype: 'bnpl', values: minimalValues.bnpl });
    const before = tenancy.book;
    tenancy.submit('writeConfigurationVersion', { values: minimalValues.bnpl }, { configuration_id: 'bnp-000001' });
    const { tenancies, keys, configurations } = decider.derive(before, tenancy.book);
    expect([tenancies, keys]).toEqual([[], []]);
    expect(configurations?.map((row) => [row.configurationId, row.version])).toEqual([['bnp-000001', 2]]);
  });

  test('every act on a lookup key answers the key with its version', () => {
    const tenancy = openTenancy().submit('createConfiguration', {
      archetype: 'instalment',
      values: minimalValues.instalment,
    });
    const answer = () => ({
      status: tenancy.answer?.status,
      ...(JSON.parse(tenancy.answer?.body ?? '') as JsonObject),
    });
    const path = { lookup_key: 'winter' };
    tenancy.submit('pointLookupKey', firstVersion, path);
    const key = { lookup_key: 'winter', ...firstVersion, latest_version: 1, version: { id: 'ins-000001', version: 1 } };
    expect(answer()).toMatchObject({ status: 201, ...key });
    expect(tenancy.submit('pointLookupKey', firstVersion, path).facts).toHaveLength(3);
    expect(answer()).toMatchObject({ status: 200, ...key });

    tenancy.submit(
      'writeConfigurationVersion',
      { values: minimalValues.instalment },
      { configuration_id: 'ins-000001' },
    );
    const second = { ...firstVersion, configuration_version: 2 };
    expect(tenancy.submit('pointLookupKey', second, path).code).toBe('lookup_key_taken');
    tenancy.submit('pointLookupKey', { ...second, transfer: true }, path);
    const moved = { lookup_key: 'winter', ...second, latest_version: 2, version: { version: 2 } };
    expect(answer()).toMatchObject({ status: 200, ...moved });
    tenancy.submit('removeLookupKey', {}, path);
    expect(answer()).toMatchObject({ status: 200, ...moved });
    expect(tenancy.submit('removeLookupKey', {}, path).code).toBe('not_found');
    expect(tenancy.submit('pointLookupKey', firstVersion, path).answer?.status).toBe(201);
    expect(tenancy.book.lookupKeys.get('winter')).toHaveLength(4);
  });

  test('putting a profile replaces all of it, and putting an equal one records nothing', () => {
    const tenancy = openTenancy().submit('putCompanyProfile', { legal_name: 'Acme', tax_id: 'X1', vat_rate_bps: 1600 });
    expect(JSON.parse(tenancy.answer?.body ?? '')).toEqual({ legal_name: 'Acme', tax_id: 'X1' });
    expect(tenancy.submit('putCompanyProfile', { tax_id: 'X1', legal_name: 'Acme' }).facts).toHaveLength(2);
    tenancy.submit('putCompanyProfile', { legal_name: 'Acme' });
    expect(tenancy.answer).toEqual({ status: 200, body: '{"legal_name":"Acme"}' });
    expect(tenancy.facts).toHaveLength(3);
  });

  test('an adopted policy decides once its version is published, and a repeated request reads its current state', () => {
    const drafting = { ...account, reference: 'd1', content: policyContent };
    const tenancy = openTenancy()
      .submit('createConfiguration', { archetype: 'bnpl', values: minimalValues.bnpl })
      .submit('draftPolicyVersion', drafting, { policy: 'retail' });
    const row = { policy: 'retail', version: 1, digest: 'a digest', drafted_by: 'ana', created_at: expect.any(String) };
    expect(JSON.parse(tenancy.answer?.body ?? '')).toEqual({ ...row, published: false });
    const adopting = { ...adoption, version: 1 };
    expect(tenancy.submit('adoptPolicy', adopting, { configuration_id: 'bnp-000001' }).code).toBe('no_policy');
    const publication = { ...account, actor: 'bruno', reference: 'p1' };
    tenancy.submit('publishPolicyVersion', publication, { policy: 'retail', policy_version: '1' });
    expect(tenancy.submit('adoptPolicy', adopting, { configuration_id: 'bnp-000001' }).answer?.status).toBe(201);
    expect(decidingVersion(tenancy.book.policies, { configuration_id: 'bnp-000001' })).toMatchObject({ binding: true });

    const recorded = { bookId: 't', digest: '', kind: 'policy_drafted', subject: 'retail/1', sequence: 3 };
    const repeated = decider.currentRecord(tenancy.book, submission('draftPolicyVersion', drafting), recorded);
    expect(repeated.status).toBe(200);
    expect(JSON.parse(repeated.body)).toMatchObject({
      ...row,
      published: true,
      published_by: 'bruno',
      self_confirmed: false,
    });
  });

  test('validating a content answers the digest that drafting would record, and records nothing', () => {
    const tenancy = openTenancy().submit('validatePolicy', { content: policyContent }, { policy: 'retail' });
    expect(JSON.parse(tenancy.answer?.body ?? '')).toMatchObject({ digest: 'a digest' });
    expect(tenancy.facts).toHaveLength(1);
  });

  test('a drafted policy is recorded with its actor, basis and context', () => {
    const drafting = { ...account, reference: 'd1', content: policyContent, context: { ticket: 7 } };
    const tenancy = openTenancy().submit('draftPolicyVersion', drafting, { policy: 'retail' });
    const { act } = JSON.parse(tenancy.facts.at(-1)?.body ?? '') as { act: JsonObject };
    expect(act).toEqual({ ...account, reference: 'd1', context: { ticket: 7 } });
  });

  test('later acts change neither a drafted version nor a publication', () => {
    const policy = fc.constantFrom('retail', 'card');
    const version = fc.integer({ min: 1, max: 4 });
    const draft = fc.record({ act: fc.constant('draft' as const), policy, points: fc.integer() });
    const publish = fc.record({ act: fc.constant('publish' as const), policy, version });
    const adopt = fc.record({ act: fc.constant('adopt' as const), policy, version });
    const product = openTenancy().submit('createConfiguration', {
      archetype: 'instalment',
      values: minimalValues.instalment,
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(draft, publish, adopt), { maxLength: 20 }), (steps) => {
        const tenancy = new TenancyScenario(product);
        let before = tenancy.book;
        for (const step of steps) {
          const path = { policy: step.policy, ...('version' in step ? { policy_version: String(step.version) } : {}) };
          if (step.act === 'draft') {
            tenancy.submit(
              'draftPolicyVersion',
              { ...account, content: { ...policyContent, base_points: step.points } },
              path,
            );
          } else if (step.act === 'publish') {
            tenancy.submit('publishPolicyVersion', account, path);
          } else {
            tenancy.submit('adoptPolicy', { ...adoption, ...step }, { configuration_id: 'ins-000001' });
          }
          for (const [name, versions] of before.policies.versions) {
            for (const [at, { publication, ...drafted }] of versions.entries()) {
              const now = tenancy.book.policies.versions.get(name)?.[at];
              expect({ ...now, publication: undefined }).toEqual(drafted);
              if (publication !== undefined) expect(now?.publication).toEqual(publication);
            }
          }
          before = tenancy.book;
        }
        expect(runToEnd(decider.decode(runToEnd(decider.encode(tenancy.book))))).toEqual(tenancy.book);
      }),
      { numRuns: 60 },
    );
  });

  test('a book replayed from its facts or decoded from its snapshot equals the original', () => {
    const tenancy = openTenancy()
      .submit('setBounds', { bounds: { concurrent: 4, patience_ms: 100, per_second: 9, burst: 9 } })
      .submit('mintKey', key)
      .submit('createConfiguration', { archetype: 'instalment', values: minimalValues.instalment })
      .submit('writeConfigurationVersion', { values: minimalValues.instalment }, { configuration_id: 'ins-000001' })
      .submit('draftPolicyVersion', { ...account, reference: 'd1', content: policyContent }, { policy: 'retail' })
      .submit('draftPolicyVersion', { ...account, reference: 'd2', content: policyContent }, { policy: 'other' })
      .submit('draftPolicyVersion', { ...account, reference: 'd3', content: policyContent }, { policy: 'retail' })
      .submit('publishPolicyVersion', { ...account, reference: 'p1' }, { policy: 'retail', policy_version: '2' })
      .submit('adoptPolicy', adoption, { configuration_id: 'ins-000001' })
      .submit('pointLookupKey', firstVersion, { lookup_key: 'winter' })
      .submit('pointLookupKey', firstVersion, { lookup_key: 'spring' })
      .submit('removeLookupKey', {}, { lookup_key: 'winter' })
      .submit('putCompanyProfile', { legal_name: 'Acme Credit', contact: { email: 'a@acme.example' } })
      .submit('revokeKey', { fp: key.fp })
      .submit('closeTenancy', { basis: 'moved' })
      .submit('reopenTenancy', {})
      .submit('closeTenancy', { basis: 'moved again' });
    expect(tenancy.facts.map((fact) => fact.kind)).toHaveLength(18);
    const folded = tenancy.facts.reduce((book, fact) => decider.replay(book, fact), decider.empty('acme', 't'));
    expect(folded).toEqual(tenancy.book);
    expect(runToEnd(decider.decode(runToEnd(decider.encode(tenancy.book))))).toEqual(tenancy.book);
  });

  test('a snapshot of another format is not decoded', () => {
    const text = runToEnd(decider.encode(openTenancy().book)).replace(/"format":\d+/, '"format":0');
    expect(runToEnd(decider.decode(text))).toBeUndefined();
  });
});

const at = 1_767_268_800_000_000 as Moment;

/** A book with one of everything. */
const fullBook: TenancyBook = {
  tenantId: 'acme',
  tenancy: {
    name: 'Acme',
    live: true,
    jurisdiction: 'MX',
    timeZone: 'UTC',
    bounds: { concurrent: 1, patience_ms: 1, per_second: 1, burst: 1 },
    createdAt: at,
  },
  closedAt: at,
  keys: new Map([
    [
      'f',
      {
        fp: 'f',
        publicKey: 'p',
        scope: 'read',
        holder: 'agent',
        label: 'first',
        createdAt: at,
        revokedAt: at,
      },
    ],
  ]),
  configurations: new Map([
    ['bnp-000001', { id: 'bnp-000001', archetype: 'bnpl', versions: [{ values: {}, recordedAt: at }] }],
  ]),
  lookupKeys: new Map([
    [
      'winter',
      [{ pointing: { configurationId: 'bnp-000001', configurationVersion: 1 }, recordedAt: at }, { recordedAt: at }],
    ],
  ]),
  policies: {
    versions: new Map([
      [
        'retail',
        [
          {
            policy: 'retail',
            version: 1,
            digest: 'd',
            content: {},
            drafted_by: 'ana',
            created_at: 'then',
            publication: { by: 'bruno', at: 'then', selfConfirmed: false },
          },
        ],
      ],
    ]),
    adoptions: new Map([
      [
        'bnp-000001',
        {
          configuration_id: 'bnp-000001',
          policy: 'retail',
          version: 1,
          enforce_bar: false,
          adopted_at: 'then',
        },
      ],
    ]),
  },
  companyProfile: {},
};

/** The paths of all members, without indexes. */
function paths(value: Json, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => paths(each, `${at}[]`));
  if (!isObject(value) || Object.keys(value).length === 0) return [at];
  return Object.entries(value).flatMap(([name, each]) => paths(each as Json, at === '' ? name : `${at}.${name}`));
}

// An old snapshot that reads differently would be served until its book changes.
test('the members of a snapshot change only together with its format number', () => {
  const snapshot = JSON.parse(runToEnd(decider.encode(fullBook))) as { format: number };
  expect(snapshot.format).toBe(4);
  expect([...new Set(paths(snapshot))]).toEqual([
    'format',
    'tenantId',
    ...['name', 'live', 'jurisdiction', 'timeZone'].map((name) => `tenancy.${name}`),
    ...['concurrent', 'patience_ms', 'per_second', 'burst'].map((name) => `tenancy.bounds.${name}`),
    'tenancy.createdAt',
    'closedAt',
    ...['fp', 'publicKey', 'scope', 'holder', 'label', 'createdAt', 'revokedAt'].map((name) => `keys[].${name}`),
    ...['id', 'archetype', 'versions[].values', 'versions[].recordedAt'].map((name) => `configurations[].${name}`),
    'lookupKeys[][]',
    ...['pointing.configurationId', 'pointing.configurationVersion', 'recordedAt'].map(
      (name) => `lookupKeys[][][].${name}`,
    ),
    ...['policy', 'version', 'digest', 'content', 'drafted_by', 'created_at'].map((name) => `policyVersions[].${name}`),
    ...['by', 'at', 'selfConfirmed'].map((name) => `policyVersions[].publication.${name}`),
    ...['configuration_id', 'policy', 'version', 'enforce_bar', 'adopted_at'].map((name) => `adoptions[].${name}`),
    'companyProfile',
  ]);
});

test.each(['', '\n', 'null', '{}', 'garbage', '[1]', '{"format":0}'])('the text %j is not decoded', (text) => {
  expect(runToEnd(decider.decode(text))).toBeUndefined();
});
