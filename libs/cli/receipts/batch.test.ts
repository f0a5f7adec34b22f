import { expect, test } from '@jest/globals';
import { Batch, postBatch } from './batch.ts';
import type { Outcome } from './outcomes.ts';
import type { ReceiptLine } from './receipt-files.ts';

function receiptLine(reference: string): ReceiptLine {
  return { line: 1, reference, body: JSON.stringify({ reference }) };
}

const busy: Outcome = { status: 409, code: 'contended', retry: 'as_is' };
const parked: Outcome = { status: 500, code: 'internal_error', retry: 'as_is' };
const refused: Outcome = { status: 422, code: 'unknown_client', retry: 'after_record' };
const recorded: Outcome = { status: 201 };

/** A service that answers each receipt with its next outcome, and the references of each request. */
function service(answers: Record<string, Outcome[]>) {
  const requests: string[][] = [];
  const request = async <Answer>(_method: string, _path: string, body?: string): Promise<Answer> => {
    const { receipts } = JSON.parse(body ?? '') as { receipts: { reference: string }[] };
    requests.push(receipts.map(({ reference }) => reference));
    const outcomes = receipts.map(({ reference }) => {
      const [next, ...rest] = answers[reference] ?? [];
      if (rest.length > 0) answers[reference] = rest;
      return next;
    });
    return { outcomes } as Answer;
  };
  return { requests, request };
}

/** What is appended to the outcome file. */
async function post(
  caller: Parameters<typeof postBatch>[0],
  receipts: readonly ReceiptLine[],
  retryTimeoutMs: number,
): Promise<(readonly [ReceiptLine, Outcome])[]> {
  const appended: (readonly [ReceiptLine, Outcome])[] = [];
  await postBatch(caller, receipts, retryTimeoutMs, async (results) => void appended.push(...results));
  return appended;
}

test('repeats receipts that may be sent again, in their order, and keeps the other outcomes', async () => {
  const { requests, request } = service({
    a: [recorded],
    b: [busy, recorded],
    c: [refused],
    d: [busy, busy, recorded],
  });
  const results = await post({ request }, ['a', 'b', 'c', 'd'].map(receiptLine), 60_000);
  expect(requests).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['d']]);
  expect(results.map(([{ reference }, { status }]) => [reference, status])).toEqual([
    ['a', 201],
    ['b', 201],
    ['c', 422],
    ['d', 201],
  ]);
});

test('keeps the outcomes of the first request where the repeated one fails', async () => {
  const first = service({ a: [recorded], b: [busy] });
  let requests = 0;
  const request: typeof first.request = (...args) => {
    requests += 1;
    return requests === 1 ? first.request(...args) : Promise.reject(new Error('the service does not answer'));
  };
  const appended: (readonly [ReceiptLine, Outcome])[] = [];
  const posting = postBatch({ request }, ['a', 'b'].map(receiptLine), 60_000, async (results) => {
    appended.push(...results);
  });
  await expect(posting).rejects.toThrow('does not answer');
  expect(appended).toEqual([
    [receiptLine('a'), recorded],
    [receiptLine('b'), busy],
  ]);
});

test('retries a receipt of a parked book once', async () => {
  const { requests, request } = service({ a: [parked] });
  expect(await post({ request }, [receiptLine('a')], 60_000)).toEqual([[receiptLine('a'), parked]]);
  expect(requests).toHaveLength(2);
});

test('returns the last outcome when the retry timeout has passed', async () => {
  const { requests, request } = service({ a: [busy] });
  expect(await post({ request }, [receiptLine('a')], 0)).toEqual([[receiptLine('a'), busy]]);
  expect(requests).toHaveLength(1);
});

test('a batch is full at its count of receipts or its size in bytes', () => {
  const batch = new Batch(3);
  batch.add(receiptLine('a'));
  batch.add(receiptLine('b'));
  expect(batch.isFull).toBe(false);
  batch.add(receiptLine('c'));
  expect(batch.isFull).toBe(true);
  expect(batch.take()).toHaveLength(3);
  expect(batch.isFull).toBe(false);
  batch.add(receiptLine('x'.repeat(4 * 1024 * 1024)));
  expect(batch.isFull).toBe(true);
});
