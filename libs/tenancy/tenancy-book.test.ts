import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/contract/json.ts';
import { isRefusal } from '#libs/contract/refusals.ts';
import { leastValues, noon } from '#libs/tenancy/given.ts';
import { tenancyKind } from '#libs/tenancy/tenancy-book.ts';
import type { TenancyBook } from '#libs/tenancy/tenancy-book-state.ts';
import type { Answer, NewFact, StoredFact, Submission } from '#libs/turn/book-kind.ts';
import type { Moment } from '#libs/turn/moment.ts';

const kind = tenancyKind();
const opening = { name: 'Acme', live: false, jurisdiction: 'MX', time_zone: 'America/Mexico_City', bounds: null };
const key = { fp: 'a'.repeat(32), public_key: 'b'.repeat(64), scope: 'write', holder: 'service', label: 'first' };

function submission(operation: string, body: JsonObject, params: Submission['params'] = {}): Submission {
  return { tenantId: 'acme', bookId: 't', operation, params, body, digest: '', ids: [], resolved: null, actor: 'ana' };
}

/** Takes the turns one after the other; what is refused leaves the book as it was. */
class Turns {
  book: TenancyBook = kind.empty('acme', 't');
  readonly facts: StoredFact[] = [];
  answer: Answer | undefined;
  code: string | undefined;

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

  test('the book read back from its facts, or from its snapshot, is the book that decided them', () => {
    const turns = opened()
      .take('setBounds', { bounds: { concurrent: 4, patience_ms: 100, per_second: 9, burst: 9 } })
      .take('mintKey', key)
      .take('createConfiguration', { archetype: 'instalment', values: leastValues.instalment })
      .take('writeConfigurationVersion', { values: leastValues.instalment }, { configuration_id: 'ins-000001' })
      .take('revokeKey', { fp: key.fp });
    expect(turns.facts.map((fact) => fact.kind)).toHaveLength(6);
    const folded = turns.facts.reduce((book, fact) => kind.replay(book, fact), kind.empty('acme', 't'));
    expect(folded).toEqual(turns.book);
    expect(kind.decode(kind.encode(turns.book))).toEqual(turns.book);
  });

  test('a snapshot of another format is dropped', () => {
    const text = kind.encode(opened().book).replace('"format":1', '"format":0');
    expect(kind.decode(text)).toBeUndefined();
  });
});
