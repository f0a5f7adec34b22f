/** Evidence: recorded facts with the signed request that caused them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { fingerprint, fromBase64url, toBase64url } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, isValidSignature } from '#libs/auth/verify.ts';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

interface Fact {
  readonly kind: string;
  readonly body: unknown;
  readonly log: object;
  readonly event: object;
  readonly submission: {
    readonly canonical: string;
    readonly fp: string;
    readonly public_key: string;
    readonly signature: string;
    readonly body: string;
  };
}

/** The checks that are possible with the answer alone. */
function expectProof({ submission }: Fact, stated: unknown): void {
  const { canonical, fp, public_key, signature, body } = submission;
  const key = fromBase64url(public_key, 32) as Uint8Array;
  expect(fingerprint(key)).toBe(fp);
  expect(isValidSignature(createKeyObject(key), canonical, fromBase64url(signature, 64) as Uint8Array)).toBe(true);
  const bytes = Buffer.from(body, 'base64');
  expect(canonical.split('\n')[3]).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(JSON.parse(bytes.toString('utf8'))).toMatchObject(stated as object);
}

test('the evidence of a Loan has every fact in order, retractions included', async () => {
  const client = await lender.client();
  const loan = await lender.loan(client);
  const writtenOff = await lender.act(loan.id, 'write-off', '2026-05-01');
  await lender.act(loan.id, 'retraction', '2026-05-02', { event_id: writtenOff.events.at(-1).id });
  await lender.pay(client, 1_000, '2026-05-03');
  const { facts, ...named } = await lender.read(`/loans/${loan.id}/evidence`);
  expect(named).toEqual({ loan_id: loan.id, client_id: client });
  expect(facts.map(({ kind }: Fact) => kind)).toEqual(['issued', 'written_off', 'retracted']);
  expectProof(facts[0], { reference: loan.terms.reference, client_id: client });
  expectProof(facts[1], { on: '2026-05-01' });
  expectProof(facts[2], { event_id: writtenOff.events.at(-1).id });
  const place = { partition: expect.any(Number) };
  expect(facts[0].log).toMatchObject({ ...place, topic: 'lending.submissions', offset: expect.any(Number), item: 0 });
  expect(facts[0].event).toMatchObject({ ...place, topic: 'lending.book-events', sequence: expect.any(Number) });
});

test('the evidence of a Loan with many facts has all of them, sent while they are read', async () => {
  const client = await lender.client();
  const loan = await lender.loan(client);
  const events: string[] = [];
  for (let day = 1; day <= 10; day += 1) {
    const on = `2026-05-${String(day).padStart(2, '0')}`;
    const writtenOff = await lender.act(loan.id, 'write-off', on);
    events.push(writtenOff.events.at(-1).id);
    await lender.act(loan.id, 'retraction', on, { event_id: events.at(-1) });
  }
  const path = `/loans/${loan.id}/evidence`;
  const { facts, ...named } = await lender.read(path);
  expect(named).toEqual({ loan_id: loan.id, client_id: client });
  const acts = events.flatMap(() => ['written_off', 'retracted']);
  expect(facts.map(({ kind }: Fact) => kind)).toEqual(['issued', ...acts]);
  for (const [index, event_id] of events.entries()) expectProof(facts[2 * index + 2], { event_id });
  const { headers } = await lender.tenant.get(path);
  expect([headers['content-type'], headers['content-length']]).toEqual(['application/json', undefined]);
});

test('the evidence of a Receipt has its report and its reversal, also when it came in a batch', async () => {
  const client = await lender.client();
  const amount = { minor_units: 500, currency: 'MXN' };
  const bodies = ['a', 'b'].map((name) => ({
    reference: `${client}-${name}`,
    client_id: client,
    amount,
    value_date: '2026-02-01',
  }));
  requireStatus(await lender.tenant.post('/receipts/batch', { receipts: bodies }), 200);
  const reference = `${client}-b`;
  const { receipt } = await lender.reverse(reference);
  const { facts } = await lender.read(`/receipts/${reference}/evidence`);
  expect(facts.map(({ kind }: Fact) => kind)).toEqual(['receipt_reported', 'receipt_reversed']);
  expectProof(facts[0], { receipts: bodies });
  expect(facts[0].log.item).toBe(1);
  expectProof(facts[1], { reference: receipt.reversal.reference });
});

test('the evidence of an unknown Loan or Receipt is not found', async () => {
  const loan = await lender.tenant.get('/loans/01890000-0000-7000-8000-000000000000/evidence');
  expect(loan).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const receipt = await lender.tenant.get('/receipts/never/evidence');
  expect(receipt).toMatchObject({ status: 404, body: { code: 'no_receipt' } });
});

describe('lending verify-evidence', () => {
  const main = [join(projectDir, 'libs', 'cli', 'main.ts'), 'verify-evidence'];

  /** Without the address of any service: the command works offline. */
  function verify(
    answer: object,
    ...args: string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [...main, '-', ...args], { env: {} }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
      child.stdin?.end(JSON.stringify(answer));
    });
  }

  test('accepts the evidence of a Loan and of a Receipt, and rejects changed evidence', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const writtenOff = await lender.act(loan.id, 'write-off', '2026-05-01');
    await lender.act(loan.id, 'retraction', '2026-05-02', { event_id: writtenOff.events.at(-1).id });
    const { receipt } = await lender.pay(client, 1_000, '2026-05-03');
    await lender.reverse(receipt.reference);

    const ofLoan = await lender.read(`/loans/${loan.id}/evidence`);
    const { fp, publicKey } = lender.tenant.signer;
    const accepted = await verify(ofLoan, '--key', `${fp}=${toBase64url(publicKey)}`);
    expect(accepted).toMatchObject({ code: 0, err: '' });
    const about = { loan_id: loan.id, client_id: client };
    const [proved, not_proved] = [expect.any(String), expect.stringContaining('no other fact was recorded')];
    expect(JSON.parse(accepted.out)).toEqual({ about, facts: 3, keys: [fp], proved, not_proved });
    const elsewhere = await verify({ ...ofLoan, client_id: 'another-client' });
    expect(elsewhere).toMatchObject({ code: 1, out: '', err: expect.stringContaining('another client_id') });
    const [issued, ...acts] = ofLoan.facts;
    const otherTerms = { ...issued, body: { ...issued.body, terms: { ...issued.body.terms, principal: 1 } } };
    const restated = await verify({ ...ofLoan, facts: [otherTerms, ...acts] });
    expect(restated).toMatchObject({ code: 1, err: expect.stringContaining('its terms.principal differs') });

    const ofReceipt = await lender.read(`/receipts/${receipt.reference}/evidence`);
    const withoutKey = await verify(ofReceipt);
    expect(withoutKey).toMatchObject({
      code: 0,
      err: expect.stringContaining(`without --key the keys in the answer are trusted (${fp})`),
    });
    const [reported, reversed] = ofReceipt.facts;
    reported.body.receipt.amount.minor_units = 999;
    const changed = await verify({ ...ofReceipt, facts: [reported, reversed] });
    expect(changed).toMatchObject({ code: 1, out: '' });
    expect(changed.err).toContain(
      `fact ${reported.sequence} (receipt_reported): its amount differs from the signed one`,
    );
  });
});
