import { expect, test } from '@jest/globals';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { FactLog, type RecordedFact } from '#libs/ledger/fact-log.ts';

function receipt(seq: number): RecordedFact {
  const fact = {
    type: 'receipt' as const,
    id: `id-${seq}`,
    reference: `r-${seq}`,
    currency: 'MXN',
    payoffIntent: false,
  };
  return { seq, at: '', statement: {}, line: `${seq}`, fact: { ...fact, amount: 1n, valueDate: 1 as CivilDay } };
}

function logOf(length: number): FactLog {
  let log = new FactLog();
  for (let at = 0; at < length; at += 1) log = log.append(at, receipt(at + 1));
  return log;
}

test('a copy of a compacted log finds its Receipts without parsing them', () => {
  const log = logOf(20);
  let parsed = 0;
  log.compactReceipts(20, (line) => {
    parsed += 1;
    return receipt(Number(line));
  });
  // Two books grow from the same log: the second one gets a copy.
  log.append(20, receipt(21));
  const copy = log.append(20, receipt(22));
  expect(copy).not.toBe(log);
  expect(copy.receipt(21, 'r-999')).toBeUndefined();
  expect(copy.receipt(21, 'r-21')).toBeUndefined();
  expect(copy.receipt(21, 'r-22')?.seq).toBe(22);
  expect(parsed).toBe(0);
  expect(copy.receipt(21, 'r-7')).toEqual(receipt(7));
  expect(parsed).toBe(1);
});

test('compacting returns the sequences of all Receipts parsed so far, also when it runs again', () => {
  const log = logOf(3);
  const parse = (line: string): RecordedFact => receipt(Number(line));
  const indexes = [
    [1, 0],
    [2, 1],
    [3, 2],
  ];
  expect([...log.compactReceipts(3, parse)]).toEqual(indexes);
  log.receipt(3, 'r-2');
  expect([...log.compactReceipts(3, parse)]).toEqual(indexes);
  expect([...log.compactReceipts(2, parse)]).toEqual(indexes.slice(0, 2));
});
