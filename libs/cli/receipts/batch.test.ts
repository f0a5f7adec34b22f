import { expect, test } from '@jest/globals';
import { Batch, postBatch } from './batch.ts';
import type { Outcome } from './outcomes.ts';
import type { Row } from './row.ts';

function row(reference: string): Row {
  return { line: 1, reference, body: JSON.stringify({ reference }) };
}

const busy: Outcome = { status: 409, code: 'contended', retry: 'as_is' };
const parked: Outcome = { status: 500, code: 'internal_error', retry: 'as_is' };
const refused: Outcome = { status: 422, code: 'unknown_client', retry: 'after_record' };
const recorded: Outcome = { status: 201 };

/** A service that answers each receipt what is next for it, and what it was asked. */
function service(answers: Record<string, Outcome[]>) {
  const asked: string[][] = [];
  const ask = async <Answer>(_method: string, _path: string, body?: string): Promise<Answer> => {
    const { receipts } = JSON.parse(body ?? '') as { receipts: { reference: string }[] };
    asked.push(receipts.map(({ reference }) => reference));
    const outcomes = receipts.map(({ reference }) => {
      const [next, ...rest] = answers[reference] ?? [];
      if (rest.length > 0) answers[reference] = rest;
      return next;
    });
    return { outcomes } as Answer;
  };
  return { asked, ask };
}

test('what may be sent again as it is is sent again in its order, and the rest has its answer', async () => {
  const { asked, ask } = service({ a: [recorded], b: [busy, recorded], c: [refused], d: [busy, busy, recorded] });
  const told = await postBatch({ ask }, ['a', 'b', 'c', 'd'].map(row), 60_000);
  expect(asked).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['d']]);
  expect(told.map(([{ reference }, { status }]) => [reference, status])).toEqual([
    ['a', 201],
    ['b', 201],
    ['c', 422],
    ['d', 201],
  ]);
});

test('a book that waits for a person is asked twice and does not hold up the file', async () => {
  const { asked, ask } = service({ a: [parked] });
  expect(await postBatch({ ask }, [row('a')], 60_000)).toEqual([[row('a'), parked]]);
  expect(asked).toHaveLength(2);
});

test('patience ends with the last answer there was', async () => {
  const { asked, ask } = service({ a: [busy] });
  expect(await postBatch({ ask }, [row('a')], 0)).toEqual([[row('a'), busy]]);
  expect(asked).toHaveLength(1);
});

test('a batch is full by its receipts or by its bytes', () => {
  const batch = new Batch(3);
  batch.add(row('a'));
  batch.add(row('b'));
  expect(batch.isFull).toBe(false);
  batch.add(row('c'));
  expect(batch.isFull).toBe(true);
  expect(batch.take()).toHaveLength(3);
  expect(batch.isFull).toBe(false);
  batch.add(row('x'.repeat(4 * 1024 * 1024)));
  expect(batch.isFull).toBe(true);
});
