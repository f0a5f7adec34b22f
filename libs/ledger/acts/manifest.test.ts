import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { ActManifest } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import { penaltyStop } from '#libs/ledger/acts/testing/penalty-stop.ts';
import { TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { statesTable } from '#libs/ledger/loan-state.ts';
import { issued, performed, received, retracted, writtenOff } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';

// The penalty stop exists only in this test. It represents the next act to be added.
const withPenaltyStop = new ActManifest([...acts, penaltyStop]);
const stopped = (on: string, announcedOn = on) => performed(penaltyStop, on, { announcedOn: dayOf(announcedOn) });

describe('an act that is added', () => {
  test('is admitted and folded', () => {
    const loan = given(issued());
    const after = loan.when(stopped('2026-02-10'));
    expect(after).toBeAdmitted();
    expect(after.owes('2026-02-10')).toEqual(loan.owes('2026-02-10'));
    expect(after.owes('2026-03-01').penalty).toBe(loan.owes('2026-02-10').penalty);
  });

  test('is refused by its own rule', () => {
    expect(given(issued()).when(stopped('2026-02-10', '2026-02-11'))).toBeRefused('invalid_event', {
      bound: '2026-02-10',
      observed: '2026-02-11',
    });
  });

  test('is refused in a state that does not admit it', () => {
    expect(given(issued(), writtenOff('2026-02-05')).when(stopped('2026-02-10'))).toBeRefused('already_written_off');
  });

  test('is an anomaly once a late report has closed its Loan, and can be retracted', () => {
    const overtaken = given(issued(), stopped('2026-02-10'), received('2026-01-31', 2_000_00n));
    expect(overtaken.anomalies()).toEqual([['penalty_stopped', 'loan_closed']]);
    expect(overtaken.when(retracted('2026-02-11', 'penalty_stopped')).anomalies()).toEqual([]);
  });

  test('has its row in the states table', () => {
    const row = statesTable(withPenaltyStop.acts).find(({ kind }) => kind === 'penalty_stopped');
    const admitting = row?.cells.filter(({ answer }) => answer === 'ok').map(({ state }) => state);
    expect(admitting).toEqual(['active', 'restructured']);
    expect(row?.cells.find(({ state }) => state === 'ceded')?.answer).toBe('cession_in_force');
  });

  test('has a request body made of its day, its own fields and the account', () => {
    const body = { on: '2026-02-10', announced_on: '2026-02-01', reference: 's-1', actor: 'ana', basis: 'agreed' };
    expect(isRefusal(parse(penaltyStop.requestBody, body))).toBe(false);
    expect(parse(penaltyStop.requestBody, { ...body, announced_on: 'soon' })).toMatchObject({ code: 'invalid_field' });
  });

  test('is decided, replayed, and stored as a fact and in snapshots by a Client’s book', () => {
    const client = new TestClientBook(withPenaltyStop);
    client.register();
    const { id } = client.issue('l-1');
    const body = { on: '2025-06-01', announced_on: '2025-05-01', reference: 's-1', actor: 'ana', basis: 'agreed' };
    const answer = client.submit('stopPenalty', body, { loan_id: String(id) });
    expect(answer['events']).toMatchObject([
      { kind: 'issued' },
      { kind: 'penalty_stopped', occurred_on: '2025-06-01' },
    ]);
    expect(client.stored.at(-1)?.kind).toBe('penalty_stopped');
    const { decider, stored, book } = client;
    const replayed = stored.reduce(decider.replay, decider.empty('acme', 'c/c-1'));
    expect(runToEnd(decider.encode(replayed))).toBe(runToEnd(decider.encode(book)));
    expect(runToEnd(decider.decode(runToEnd(decider.encode(book))))?.folded.head).toEqual(book.folded.head);
  });
});

test('an operation that is not in the manifest is not decided', () => {
  const client = new TestClientBook();
  expect(() => client.submit('stopPenalty', {})).toThrow('stopPenalty');
});

test('two acts cannot have the same kind or the same operation', () => {
  expect(() => new ActManifest([...acts, acts[0]])).toThrow('the same kind');
});

test('the guide shows the act that is tested here', () => {
  const guide = readFileSync('docs/add-an-act.md', 'utf8');
  expect(guide).toContain(readFileSync('libs/ledger/acts/testing/penalty-stop.ts', 'utf8'));
});
