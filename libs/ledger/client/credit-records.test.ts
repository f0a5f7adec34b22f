import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { goodAttributes, known, withIncome } from '#libs/credit/testing/example.ts';
import { clientBookAnswer } from '#libs/ledger/client/book-answer.ts';
import { asKnownAt, type ClientBook } from '#libs/ledger/client/client-book.ts';
import { facilityWithUse } from '#libs/ledger/client/facility-drawdown.ts';
import { decider, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const act = (reference: string) => ({ reference, actor: 'officer-1', basis: 'test' });
const good = withIncome(30_000, 24) as JsonObject;
const unsure = withIncome(5_000, 24) as JsonObject;
const refusing = { attributes: { ...goodAttributes, write_offs: known(1) } } as JsonObject;
const question = { homeCurrency: 'MXN', calendars: calendarsOf() };
const bookOn = (book: ClientBook, on: string) => runToEnd(clientBookAnswer(book, { ...question, on: dayOf(on) }));

function approved(client = new TestClientBook()) {
  client.register();
  const decision = client.apply('a-1', { ...good, limit: true }) as { id: string };
  return { client, decisionId: decision.id };
}

function withFacility(more: JsonObject = {}) {
  const { client, decisionId } = approved();
  const facility = client.openFacility('f-1', { decision_id: decisionId, amount: money(1_500_000), ...more });
  return { client, decisionId, facilityId: String(facility['id']) };
}

function drawn(client: TestClientBook, nth = 0) {
  const { drawn, headroom } = facilityWithUse(client.book, client.book.credit.facilities[nth] as never);
  return { drawn: drawn.minor_units, headroom: headroom.minor_units };
}

describe('an application', () => {
  test('of a Client that is not registered is refused', () => {
    expect(new TestClientBook().apply('a-1', good)).toMatchObject({ refused: 'unknown_client' });
  });

  test('has the same answer from the deciding book, the replayed book and the snapshot', () => {
    const { client, decisionId } = approved();
    const recorded = { bookId: '', digest: '', kind: '', subject: decisionId, sequence: 2 };
    const replayed = client.stored.reduce((book, fact) => decider.replay(book, fact), decider.empty('acme', 'c/c-1'));
    const snapshot = runToEnd(decider.decode(runToEnd(decider.encode(client.book)))) as ClientBook;
    const again = [client.book, replayed, snapshot].map(
      (book) => decider.currentRecord(book, { operation: 'decide', params: {} } as never, recorded).body,
    );
    expect(new Set(again).size).toBe(1);
    expect(JSON.parse(again[0] as string)).toMatchObject({
      id: decisionId,
      reference: 'a-1',
      outcome: 'approve',
      band: 'good',
      binding: true,
      rate: { percent: '37.5' },
      ceiling: money(100_000_000),
      over_ceiling: false,
    });
    expect(again[0]).not.toContain('"offer"');
  });

  test('of a barred Client is refused and not recorded if the adoption enforces the bar', () => {
    const client = new TestClientBook();
    client.register();
    const refusal = client.apply('a-1', { ...refusing, submitted_on: '2026-03-01' });
    const { length } = client.stored;
    const barred = { refused: 'client_barred', bound: '2026-05-30', recorded_id: refusal['id'] };
    const late = { ...good, submitted_on: '2026-05-29' };
    expect(client.apply('a-2', late, { enforceBar: true })).toMatchObject(barred);
    expect(client.stored).toHaveLength(length);
    expect(client.apply('a-2', late)).toMatchObject({ outcome: 'approve' });
    expect(client.apply('a-3', { ...good, submitted_on: '2026-05-30' }, { enforceBar: true })).toMatchObject({
      outcome: 'approve',
    });
  });

  test('is not counted by the book version', () => {
    const { client } = approved();
    expect(bookOn(client.book, '2026-01-01').book_version).toMatchObject({ facts: 0 });
  });
});

describe('the bar', () => {
  test('does not follow from a trial, and follows from a refusing resolution', () => {
    const client = new TestClientBook();
    client.register();
    client.apply('trial', { ...refusing, submitted_on: '2026-03-01' }, { binding: false });
    expect(bookOn(client.book, '2026-03-02').bar).toEqual({ barred: false });
    const { id } = client.apply('a-1', { ...unsure, submitted_on: '2026-03-10' });
    const refused = { outcome: 'refuse', moratorium_days: 10, ...act('r-1') };
    client.submit('resolveDecision', refused, { decision_id: String(id) });
    expect(bookOn(client.book, '2026-03-19').bar).toEqual({ barred: true, lifts_on: '2026-03-20', decision: id });
    expect(bookOn(client.book, '2026-03-20').bar).toEqual({ barred: false });
  });
});

describe('under a facility', () => {
  test('a Loan has the facility’s rate, and any other rate is refused', () => {
    const { client, facilityId } = withFacility();
    const loan = client.issue('l-1', { facility_id: facilityId.toUpperCase() }) as { terms?: { rate?: string } };
    expect(loan.terms?.rate).toBe('37.5');
    expect(client.issue('l-2', { facility_id: facilityId, rate: '37.50', principal: money(1) })).toHaveProperty('id');
    const other = { facility_id: facilityId, rate: '36', principal: money(1) };
    expect(client.issue('l-3', other)).toMatchObject({ refused: 'rate_outside_corridor', bound: '37.5' });
  });

  test('no Loan is issued if the facility’s rate is outside the product’s range', () => {
    const { client, facilityId } = withFacility();
    const narrow = { rate_max: '30' };
    expect(client.issue('l', { facility_id: facilityId }, narrow)).toMatchObject({ refused: 'rate_outside_corridor' });
  });

  test('a term that was not approved is refused', () => {
    const { client, facilityId } = withFacility();
    const wider = { terms: [3, 6, 12] };
    const refused = { refused: 'term_not_offered', bound: [3, 12], observed: 6 };
    expect(client.issue('l', { facility_id: facilityId, term_periods: 6 }, wider)).toMatchObject(refused);
  });

  test('window and headroom are checked after everything else', () => {
    const { client, facilityId } = withFacility();
    const out = { facility_id: facilityId, anchor: '2026-01-01' };
    expect(client.issue('l', out)).toMatchObject({ refused: 'outside_facility_window' });
    expect(client.issue('l', { facility_id: facilityId })).toHaveProperty('id');
    const guarded = { max_open_loans_per_client: 1 };
    expect(client.issue('l-2', { facility_id: facilityId }, guarded)).toMatchObject({ refused: 'client_open_loans' });
    expect(client.issue('l-2', { facility_id: facilityId })).toMatchObject({
      refused: 'facility_exhausted',
      bound: money(500_000),
    });
  });

  test('an unknown facility, another Client’s, another product’s and a superseded one are refused', () => {
    const { client, decisionId, facilityId } = withFacility({ line: true });
    const nowhere = '00000000-0000-7000-8000-00000000ffff';
    expect(client.issue('l', { facility_id: nowhere })).toMatchObject({ refused: 'not_found', field: '/facility_id' });
    const others = { id: nowhere, client_id: 'c-2', configuration_id: 'ins-000009' } as Facility;
    expect(client.issue('l', { facility_id: nowhere }, {}, others)).toMatchObject({ refused: 'facility_other_client' });
    const elsewhere = { facility_id: facilityId, configuration_id: 'ins-000002' };
    expect(client.issue('l', elsewhere)).toMatchObject({ refused: 'facility_other_configuration' });
    client.openFacility('f-2', { decision_id: decisionId, amount: money(9), line: true, supersedes: facilityId });
    expect(client.issue('l', elsewhere)).toMatchObject({ refused: 'facility_superseded' });
  });

  test('a held Loan counts as drawn and a voided one does not', () => {
    const { client, facilityId } = withFacility();
    const { id } = client.issue('l', { facility_id: facilityId, hold_until: '2025-01-20' });
    expect(drawn(client)).toEqual({ drawn: 1_000_000, headroom: 500_000 });
    client.submit('voidLoan', { on: '2025-01-16', ...act('v') }, { loan_id: String(id) });
    expect(drawn(client)).toEqual({ drawn: 0, headroom: 1_500_000 });
  });

  test('repayment frees a line and no other facility', () => {
    for (const line of [true, false]) {
      const { client, facilityId } = withFacility({ line });
      client.issue('l', { facility_id: facilityId });
      const paid = { reference: 'r', client_id: 'c-1', amount: money(103_700), value_date: '2025-02-15' };
      expect(client.submit('reportReceipt', paid)).toHaveProperty('settled');
      expect(drawn(client).drawn < 1_000_000).toBe(line);
    }
  });

  test('what is drawn on a superseded line counts in the line that superseded it', () => {
    const { client, decisionId, facilityId } = withFacility({ line: true });
    client.issue('l', { facility_id: facilityId });
    const renewal = { decision_id: decisionId, amount: money(1_200_000), line: true, supersedes: facilityId };
    const id = String(client.openFacility('f-2', renewal)['id']);
    expect(drawn(client, 1)).toEqual({ drawn: 1_000_000, headroom: 200_000 });
    expect(client.issue('l-2', { facility_id: id, principal: money(200_001) })).toMatchObject({
      refused: 'facility_exhausted',
    });
  });

  test('the book as known at a moment shows no later facility', () => {
    const { client } = withFacility();
    const before = client.book.credit.decisions[0]?.at as string;
    const then = asKnownAt(client.book, before, question.calendars);
    expect([then.credit.decisions.length, then.credit.facilities.length]).toEqual([1, 0]);
  });
});

test('no sequence of issuances, Receipts and cancellations exceeds a facility or a guard', () => {
  const anyStep = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), principal: fc.integer({ min: 1, max: 900_000 }) }),
    fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 500_000 }) }),
    fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(6) }),
    fc.record({ kind: fc.constant('renew' as const), amount: fc.integer({ min: 1, max: 2_000_000 }) }),
  );
  fc.assert(
    fc.property(fc.boolean(), fc.array(anyStep, { maxLength: 14 }), (line, steps) => {
      const { client, decisionId, facilityId } = withFacility({ line });
      const loans: string[] = [];
      let current = facilityId;
      let limit = 1_500_000;
      for (const [nth, step] of steps.entries()) {
        if (step.kind === 'issue') {
          const before = drawn(client, client.book.credit.facilities.length - 1);
          const guard = { max_open_loans_per_client: 4 };
          const stated = { facility_id: current, principal: money(step.principal) };
          const issued = client.issue(`l-${nth}`, stated, guard);
          if ('refused' in issued) continue;
          loans.push(String(issued['id']));
          // The admitted principal was within the headroom, and still is after Receipts moved to the new Loan.
          expect(step.principal).toBeLessThanOrEqual(before.headroom);
          const { drawn: out, headroom } = drawn(client, client.book.credit.facilities.length - 1);
          expect(headroom).toBeGreaterThanOrEqual(0);
          if (!line) expect(out).toBe(before.drawn + step.principal);
        } else if (step.kind === 'pay') {
          const paid = { reference: `r-${nth}`, client_id: 'c-1', amount: money(step.amount) };
          client.submit('reportReceipt', { ...paid, value_date: '2025-02-15' });
        } else if (step.kind === 'cancel') {
          const loan = loans[step.nth];
          if (loan !== undefined)
            client.submit('cancelLoan', { on: '2025-01-16', ...act(`c-${nth}`) }, { loan_id: loan });
        } else if (line) {
          const renewal = { decision_id: decisionId, amount: money(step.amount), line, supersedes: current };
          current = String(client.openFacility(`f-${nth}`, renewal)['id']);
          limit = step.amount;
        }
        const facilities = client.book.credit.facilities.map((_facility, at) => drawn(client, at));
        for (const [at, { recorded }] of client.book.credit.facilities.entries()) {
          const { drawn: out, headroom } = facilities[at] as { drawn: number; headroom: number };
          expect(out + headroom).toBe(recorded.amount.minor_units);
        }
        // Only a renewal for less than the drawn amount leaves a line above its amount.
        if (!line) expect(facilities[0]?.drawn).toBeLessThanOrEqual(limit);
        const open = client.book.folded.head.loans.filter((loan) => loan && !loan.cancelled && !loan.discharged);
        expect(open.length).toBeLessThanOrEqual(4);
      }
    }),
    { numRuns: 60 },
  );
});
