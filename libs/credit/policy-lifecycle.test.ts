import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { admitted, policyContent, refused } from '#libs/credit/testing/example.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import {
  adoptionAnswer,
  adoptPolicy,
  applyPolicyFact,
  decidingVersion,
  digestInput,
  draftPolicy,
  noPolicies,
  type Policies,
  type PolicyFact,
  policyAnswer,
  policyRow,
  policyVersionAnswer,
  publishPolicy,
  validatePolicy,
} from './policy-lifecycle.ts';

const thirds = { numerator: 1, denominator: 3, quotation: 'nominal_annual' };
const withoutDecimal: JsonObject = { ...policyContent, bands: [{ id: 'all', outcome: 'approve', rate: thirds }] };

/** A Tenancy's policies after these facts, each recorded a second after the one before. */
const recorded = (...facts: PolicyFact[]): Policies =>
  facts.reduce((policies, fact, index) => applyPolicyFact(policies, fact, `second ${index}`), noPolicies);

const drafted = (version = 1, actor = 'ana', stated: JsonObject = policyContent, policy = 'retail'): PolicyFact => ({
  kind: 'policy_drafted',
  policy,
  version,
  digest: `digest ${version}`,
  content: stated,
  drafted_by: actor,
});

const published = (version = 1, actor = 'bruno'): PolicyFact => ({
  kind: 'policy_published',
  policy: 'retail',
  version,
  published_by: actor,
  self_confirmed: false,
});

const adopting = {
  configurationId: 'ins-000001',
  configurationExists: true,
  policy: 'retail',
  version: 1,
  enforceBar: true,
  actor: 'carla',
};

const adopted = (policies: Policies, version = 1) => admitted(adoptPolicy(policies, { ...adopting, version }));

/** The same JSON with the members of every object in reverse order. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('the digest of a content', () => {
  test('does not depend on the order of members', () => {
    expect(digestInput(reversed(policyContent) as JsonObject)).toBe(digestInput(policyContent));
    const value = fc
      .jsonValue({ noUnicodeString: false })
      .filter((json) => typeof json === 'object' && !Array.isArray(json));
    fc.assert(
      fc.property(value, (json) => {
        const object = (json ?? {}) as JsonObject;
        expect(digestInput(reversed(object) as JsonObject)).toBe(digestInput(object));
      }),
    );
  });

  test('changes with one point or with the order of the knockouts', () => {
    const texts = [
      policyContent,
      { ...policyContent, base_points: 401 },
      { ...policyContent, knockouts: [...policyContent.knockouts].reverse() },
    ].map(digestInput);
    expect(new Set(texts).size).toBe(3);
  });
});

describe('validation', () => {
  test('reports the findings of a valid content', () => {
    expect(validatePolicy(policyContent)).toEqual([{ code: 'bins_leave_gap', field: '/content/scorecard/1/bins' }]);
  });

  test('refuses what drafting or publication would refuse', () => {
    expect(refused(validatePolicy({})).code).toBe('invalid_policy');
    expect(refused(validatePolicy(withoutDecimal)).code).toBe('rate_without_decimal');
  });
});

describe('drafting', () => {
  const draft = { policy: 'retail', content: policyContent, digest: 'd', actor: 'ana' };

  test('numbers the versions of each policy from one', () => {
    expect(draftPolicy(noPolicies, draft)).toMatchObject({ version: 1, drafted_by: 'ana', digest: 'd' });
    expect(draftPolicy(recorded(drafted(1), drafted(2)), draft)).toMatchObject({ version: 3 });
    expect(draftPolicy(recorded(drafted(1)), { ...draft, policy: 'card' })).toMatchObject({ version: 1 });
  });

  test('refuses an invalid content, but accepts a rate without a decimal for trials', () => {
    expect(refused(draftPolicy(noPolicies, { ...draft, content: {} })).code).toBe('invalid_policy');
    expect(draftPolicy(noPolicies, { ...draft, content: withoutDecimal })).toMatchObject({ version: 1 });
  });
});

describe('publication', () => {
  const publication = { policy: 'retail', version: 1, actor: 'bruno' };

  test.each([
    ['by another person is not self-confirmed', 'bruno', false],
    ['by the person who drafted it is self-confirmed', 'ana', true],
  ])('%s', (_, actor, selfConfirmed) => {
    const policies = recorded(drafted());
    const fact = admitted(publishPolicy(policies, { ...publication, actor }));
    expect(fact.self_confirmed).toBe(selfConfirmed);
    expect(policyAnswer(applyPolicyFact(policies, fact, 'then'), 'retail')?.versions).toEqual([
      {
        policy: 'retail',
        version: 1,
        digest: 'digest 1',
        drafted_by: 'ana',
        created_at: 'second 0',
        published: true,
        published_by: actor,
        published_at: 'then',
        self_confirmed: selfConfirmed,
      },
    ]);
  });

  test.each<[string, Policies, string]>([
    ['of an unknown policy', noPolicies, 'not_found'],
    ['of an unknown version', recorded(drafted(1, 'ana', policyContent, 'card')), 'not_found'],
    ['of a published version', recorded(drafted(), published()), 'already_published'],
    ['with a rate that no Loan could state', recorded(drafted(1, 'ana', withoutDecimal)), 'rate_without_decimal'],
  ])('%s is refused', (_, policies, code) => {
    expect(refused(publishPolicy(policies, publication)).code).toBe(code);
  });

  test('changes no other version', () => {
    const policies = recorded(drafted(1), drafted(2), published(2));
    expect(policyAnswer(policies, 'retail')?.versions.map((version) => version.published)).toEqual([false, true]);
  });
});

describe('adoption', () => {
  const policies = recorded(drafted(1), drafted(2), published(1));

  test('is answered with the version and the moment', () => {
    const adoption = applyPolicyFact(policies, adopted(policies), 'then').adoptions.get('ins-000001');
    expect(adoption && adoptionAnswer(adoption)).toEqual({
      configuration_id: 'ins-000001',
      policy: 'retail',
      version: 1,
      enforce_bar: true,
      adopted_at: 'then',
    });
  });

  test.each<[string, Partial<typeof adopting>, string]>([
    ['for an unknown configuration', { configurationExists: false, version: 2 }, 'no_configuration'],
    ['of a draft', { version: 2 }, 'no_policy'],
    ['of an unknown version', { version: 3 }, 'no_policy'],
    ['of version 0', { version: 0 }, 'no_policy'],
    ['of an unknown policy', { policy: 'card' }, 'no_policy'],
  ])('%s is refused', (_, change, code) => {
    expect(refused(adoptPolicy(policies, { ...adopting, ...change })).code).toBe(code);
  });
});

describe('the deciding version', () => {
  const before = recorded(drafted(1), drafted(2), drafted(3), published(1), published(2));
  const first = applyPolicyFact(before, adopted(before, 1), 'then');
  const second = applyPolicyFact(first, adopted(first, 2), 'later');
  const choice = { configuration_id: 'ins-000001' };

  test('is the last adopted one, and its decisions bind', () => {
    expect(decidingVersion(first, choice)).toMatchObject({ version: { version: 1 }, binding: true, enforceBar: true });
    expect(decidingVersion(second, choice)).toMatchObject({ version: { version: 2 }, binding: true });
  });

  test.each([1, 2, 3])(
    'is version %i on trial if the application names it, without binding and without a bar',
    (version) => {
      expect(decidingVersion(second, { ...choice, policy: 'retail', policy_version: version })).toMatchObject({
        version: { version },
        binding: false,
        enforceBar: false,
      });
    },
  );

  test.each([
    ['no policy is adopted', { configuration_id: 'ins-000002' }, 'no_policy', '/configuration_id'],
    [
      'the named version is unknown',
      { ...choice, policy: 'retail', policy_version: 4 },
      'no_policy',
      '/policy_version',
    ],
  ])('is refused if %s', (_, stated, code, field) => {
    expect(refused(decidingVersion(second, stated))).toMatchObject({ code, details: { field } });
  });
});

test('a policy is answered with the configurations that currently adopt it', () => {
  const before = recorded(drafted(1), published(1), drafted(1, 'ana', policyContent, 'card'));
  const adopt = (policies: Policies, configurationId: string, policy = 'retail'): Policies =>
    applyPolicyFact(
      policies,
      {
        kind: 'policy_adopted',
        configuration_id: configurationId,
        policy,
        version: 1,
        enforce_bar: false,
        adopted_by: 'ana',
      },
      'then',
    );
  const policies = ['ins-000003', 'bnp-000002', 'ins-000001'].reduce((each, id) => adopt(each, id), before);
  const decidedFor = (held: Policies, policy: string) =>
    policyAnswer(held, policy)?.adoptions.map(({ configuration_id }) => configuration_id);
  expect(decidedFor(policies, 'retail')).toEqual(['bnp-000002', 'ins-000001', 'ins-000003']);
  const moved = adopt(policies, 'ins-000001', 'card');
  expect(decidedFor(moved, 'retail')).toEqual(['bnp-000002', 'ins-000003']);
  expect(decidedFor(moved, 'card')).toEqual(['ins-000001']);
});

test('a policy is listed with its latest version and its latest published version', () => {
  const rowOf = (policies: Policies) => policyRow('retail', policies.versions.get('retail') ?? []);
  expect(rowOf(recorded(drafted(1)))).toEqual({ policy: 'retail', latest_version: 1 });
  const twice = recorded(drafted(1), drafted(2), drafted(3), published(2), published(1));
  expect(rowOf(twice)).toEqual({ policy: 'retail', latest_version: 3, latest_published: 2 });
});

test('a policy is answered with its versions, oldest first, and a single version with its content', () => {
  const policies = recorded(drafted(1), drafted(2));
  const answer = policyAnswer(policies, 'retail');
  expect([answer?.latest_version, answer?.versions.map(({ version }) => version)]).toEqual([2, [1, 2]]);
  expect(answer?.versions[0]).not.toHaveProperty('content');
  expect(policyAnswer(policies, 'card')).toBeUndefined();
  const [version] = policies.versions.get('retail') ?? [];
  expect(version && policyVersionAnswer(version)).toEqual({
    policy: 'retail',
    version: 1,
    digest: 'digest 1',
    drafted_by: 'ana',
    created_at: 'second 0',
    published: false,
    content: policyContent,
  });
});
