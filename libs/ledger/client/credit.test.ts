import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { earning, known, sound } from '#libs/credit/testing/example.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { asKnownAt } from '#libs/ledger/client/as-of.ts';
import { bookInPieces } from '#libs/ledger/client/book-answer.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { facilityWithDrawn } from '#libs/ledger/client/drawing.ts';
import { Desk, kind, money } from '#libs/ledger/client/testing/desk.ts';
import { atOnce } from '#libs/ledger/cooperative-loop.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const act = (reference: string) => ({ reference, actor: 'desk', basis: 'test' });
const good = earning(30_000, 24) as unknown as JsonObject;
const unsure = earning(5_000, 24) as unknown as JsonObject;
const refusing = { attributes: { ...sound, write_offs: known(1) } } as unknown as JsonObject;
const question = { homeCurrency: 'MXN', calendars: calendarsOf() };
const bookOn = (book: ClientBook, on: string) => atOnce(bookInPieces(book, { ...question, on: dayOf(on) }));

function approved(desk = new Desk()) {
  desk.register();
  const decision = desk.apply('a-1', { ...good, limit: true }) as unknown as { id: string };
  return { desk, decisionId: decision.id };
}

function withFacility(more: JsonObject = {}) {
  const { desk, decisionId } = approved();
  const facility = desk.grant('f-1', { decision_id: decisionId, amount: money(1_500_000), ...more });
  return { desk, decisionId, facilityId: String(facility['id']) };
}

function drawn(desk: Desk, nth = 0) {
  const { drawn, headroom } = facilityWithDrawn(desk.book, desk.book.credit.facilities[nth] as never);
  return { drawn: drawn.minor_units, headroom: headroom.minor_units };
}

describe('an application', () => {
  test('of someone never registered is refused, whatever its numbers', () => {
    expect(new Desk().apply('a-1', good)).toMatchObject({ refused: 'unknown_client' });
  });

  test('is answered alike when it is decided and when its book is read back', () => {
    const { desk, decisionId } = approved();
    const recorded = { bookId: '', digest: '', kind: '', subject: decisionId, sequence: 2 };
    const replayed = desk.stored.reduce((book, fact) => kind.replay(book, fact), kind.empty('acme', 'c/c-1'));
    const snapshot = kind.decode(kind.encode(desk.book)) as ClientBook;
    const again = [desk.book, replayed, snapshot].map(
      (book) => kind.currentRecord(book, { operation: 'decide', params: {} } as never, recorded).body,
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

  test('of a barred Client is refused where the policy was adopted to enforce it, and nothing is recorded', () => {
    const desk = new Desk();
    desk.register();
    const refusal = desk.apply('a-1', { ...refusing, submitted_on: '2026-03-01' });
    const { length } = desk.stored;
    const barred = { refused: 'client_barred', bound: '2026-05-30', recorded_id: refusal['id'] };
    const late = { ...good, submitted_on: '2026-05-29' };
    expect(desk.apply('a-2', late, { enforceBar: true })).toMatchObject(barred);
    expect(desk.stored).toHaveLength(length);
    expect(desk.apply('a-2', late)).toMatchObject({ outcome: 'approve' });
    expect(desk.apply('a-3', { ...good, submitted_on: '2026-05-30' }, { enforceBar: true })).toMatchObject({
      outcome: 'approve',
    });
  });

  test('counts in no book version and changes no figure of a Loan', () => {
    const { desk } = approved();
    expect(bookOn(desk.book, '2026-01-01').book_version).toMatchObject({ facts: 0 });
  });
});

describe('the bar', () => {
  test('of a trial is none, and of a person who refuses it is theirs', () => {
    const desk = new Desk();
    desk.register();
    desk.apply('trial', { ...refusing, submitted_on: '2026-03-01' }, { binding: false });
    expect(bookOn(desk.book, '2026-03-02').bar).toEqual({ barred: false });
    const { id } = desk.apply('a-1', { ...unsure, submitted_on: '2026-03-10' });
    const refused = { outcome: 'refuse', moratorium_days: 10, ...act('r-1') };
    desk.ask('resolveDecision', refused, { decision_id: String(id) });
    expect(bookOn(desk.book, '2026-03-19').bar).toEqual({ barred: true, lifts_on: '2026-03-20', decision: id });
    expect(bookOn(desk.book, '2026-03-20').bar).toEqual({ barred: false });
  });
});

describe('under a facility', () => {
  test('a Loan takes its rate, and no other is let in', () => {
    const { desk, facilityId } = withFacility();
    const loan = desk.issue('l-1', { facility_id: facilityId.toUpperCase() }) as { terms?: { rate?: string } };
    expect(loan.terms?.rate).toBe('37.5');
    expect(desk.issue('l-2', { facility_id: facilityId, rate: '37.50', principal: money(1) })).toHaveProperty('id');
    const other = { facility_id: facilityId, rate: '36', principal: money(1) };
    expect(desk.issue('l-3', other)).toMatchObject({ refused: 'rate_outside_corridor', bound: '37.5' });
  });

  test('a rate outside the corridor of the version that is sold lets nothing in', () => {
    const { desk, facilityId } = withFacility();
    const narrow = { rate_max: '30' };
    expect(desk.issue('l', { facility_id: facilityId }, narrow)).toMatchObject({ refused: 'rate_outside_corridor' });
  });

  test('a term that was not approved is not offered', () => {
    const { desk, facilityId } = withFacility();
    const wider = { terms: [3, 6, 12] };
    const refused = { refused: 'term_not_offered', bound: [3, 12], observed: 6 };
    expect(desk.issue('l', { facility_id: facilityId, term_periods: 6 }, wider)).toMatchObject(refused);
  });

  test('the last of the checks are its window and its headroom', () => {
    const { desk, facilityId } = withFacility();
    const out = { facility_id: facilityId, anchor: '2026-01-01' };
    expect(desk.issue('l', out)).toMatchObject({ refused: 'outside_facility_window' });
    expect(desk.issue('l', { facility_id: facilityId })).toHaveProperty('id');
    const guarded = { max_open_loans_per_client: 1 };
    expect(desk.issue('l-2', { facility_id: facilityId }, guarded)).toMatchObject({ refused: 'client_open_loans' });
    expect(desk.issue('l-2', { facility_id: facilityId })).toMatchObject({
      refused: 'facility_exhausted',
      bound: money(500_000),
    });
  });

  test("one that is nowhere, another Client's, superseded or of another product is refused in that order", () => {
    const { desk, decisionId, facilityId } = withFacility({ line: true });
    const nowhere = '00000000-0000-7000-8000-00000000ffff';
    expect(desk.issue('l', { facility_id: nowhere })).toMatchObject({ refused: 'not_found', field: '/facility_id' });
    const others = { id: nowhere, client_id: 'c-2', configuration_id: 'ins-000009' } as Facility;
    expect(desk.issue('l', { facility_id: nowhere }, {}, others)).toMatchObject({ refused: 'facility_other_client' });
    const elsewhere = { facility_id: facilityId, configuration_id: 'ins-000002' };
    expect(desk.issue('l', elsewhere)).toMatchObject({ refused: 'facility_other_configuration' });
    desk.grant('f-2', { decision_id: decisionId, amount: money(9), line: true, supersedes: facilityId });
    expect(desk.issue('l', elsewhere)).toMatchObject({ refused: 'facility_superseded' });
  });

  test('a cancelled Loan gives back what it drew; a held one draws', () => {
    const { desk, facilityId } = withFacility();
    const { id } = desk.issue('l', { facility_id: facilityId, hold_until: '2025-01-20' });
    expect(drawn(desk)).toEqual({ drawn: 1_000_000, headroom: 500_000 });
    desk.ask('voidLoan', { on: '2025-01-16', ...act('v') }, { loan_id: String(id) });
    expect(drawn(desk)).toEqual({ drawn: 0, headroom: 1_500_000 });
  });

  test('money that repays refills a line and no other facility', () => {
    for (const line of [true, false]) {
      const { desk, facilityId } = withFacility({ line });
      desk.issue('l', { facility_id: facilityId });
      const paid = { reference: 'r', client_id: 'c-1', amount: money(103_700), value_date: '2025-02-15' };
      expect(desk.ask('reportReceipt', paid)).toHaveProperty('settled');
      expect(drawn(desk).drawn < 1_000_000).toBe(line);
    }
  });

  test('what a superseded line has out counts in the line that took over', () => {
    const { desk, decisionId, facilityId } = withFacility({ line: true });
    desk.issue('l', { facility_id: facilityId });
    const renewal = { decision_id: decisionId, amount: money(1_200_000), line: true, supersedes: facilityId };
    const id = String(desk.grant('f-2', renewal)['id']);
    expect(drawn(desk, 1)).toEqual({ drawn: 1_000_000, headroom: 200_000 });
    expect(desk.issue('l-2', { facility_id: id, principal: money(200_001) })).toMatchObject({
      refused: 'facility_exhausted',
    });
  });

  test('the book as it was known shows neither a facility nor a bar of later', () => {
    const { desk } = withFacility();
    const before = desk.book.credit.decisions[0]?.at as string;
    const then = asKnownAt(desk.book, before, question.calendars);
    expect([then.credit.decisions.length, then.credit.facilities.length]).toEqual([1, 0]);
  });
});

test('no sequence of issuances, money and undoing ever takes more than a facility or a guard holds', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), principal: fc.integer({ min: 1, max: 900_000 }) }),
    fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 500_000 }) }),
    fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(6) }),
    fc.record({ kind: fc.constant('renew' as const), amount: fc.integer({ min: 1, max: 2_000_000 }) }),
  );
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 14 }), (line, steps) => {
      const { desk, decisionId, facilityId } = withFacility({ line });
      const loans: string[] = [];
      let current = facilityId;
      let most = 1_500_000;
      for (const [nth, taken] of steps.entries()) {
        if (taken.kind === 'issue') {
          const before = drawn(desk, desk.book.credit.facilities.length - 1);
          const guard = { max_open_loans_per_client: 4 };
          const stated = { facility_id: current, principal: money(taken.principal) };
          const told = desk.issue(`l-${nth}`, stated, guard);
          if ('refused' in told) continue;
          loans.push(String(told['id']));
          // What was admitted was there to be had, and still is once money has moved to the new Loan from the others.
          expect(taken.principal).toBeLessThanOrEqual(before.headroom);
          const { drawn: out, headroom } = drawn(desk, desk.book.credit.facilities.length - 1);
          expect(headroom).toBeGreaterThanOrEqual(0);
          if (!line) expect(out).toBe(before.drawn + taken.principal);
        } else if (taken.kind === 'pay') {
          const paid = { reference: `r-${nth}`, client_id: 'c-1', amount: money(taken.amount) };
          desk.ask('reportReceipt', { ...paid, value_date: '2025-02-15' });
        } else if (taken.kind === 'cancel') {
          const loan = loans[taken.nth];
          if (loan !== undefined) desk.ask('cancelLoan', { on: '2025-01-16', ...act(`c-${nth}`) }, { loan_id: loan });
        } else if (line) {
          const renewal = { decision_id: decisionId, amount: money(taken.amount), line, supersedes: current };
          current = String(desk.grant(`f-${nth}`, renewal)['id']);
          most = taken.amount;
        }
        const facilities = desk.book.credit.facilities.map((_facility, at) => drawn(desk, at));
        for (const [at, { recorded }] of desk.book.credit.facilities.entries()) {
          const { drawn: out, headroom } = facilities[at] as { drawn: number; headroom: number };
          expect(out + headroom).toBe(recorded.amount.minor_units);
        }
        // Only a renewal for less than what is out leaves a line over its amount.
        if (!line) expect(facilities[0]?.drawn).toBeLessThanOrEqual(most);
        const open = desk.book.folded.head.loans.filter((loan) => loan && !loan.cancelled && !loan.discharged);
        expect(open.length).toBeLessThanOrEqual(4);
      }
    }),
    { numRuns: 60 },
  );
});
