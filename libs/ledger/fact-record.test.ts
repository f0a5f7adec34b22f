import { expect, test } from '@jest/globals';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { FactLog, type RecordedFact } from '#libs/ledger/fact-record.ts';

function receipt(seq: number): RecordedFact {
  const fact = {
    type: 'receipt' as const,
    id: `id-${seq}`,
    reference: `r-${seq}`,
    currency: 'MXN',
    payoffIntent: false,
  };
  return { seq, at: 'then', told: {}, line: `${seq}`, fact: { ...fact, amount: 1n, valueDate: 1 as CivilDay } };
}

function logOf(length: number): FactLog {
  let log = new FactLog();
  for (let at = 0; at < length; at += 1) log = log.with(at, receipt(at + 1));
  return log;
}

test('a log that was put away and went on from another value finds what it holds without reading it', () => {
  const log = logOf(20);
  let reads = 0;
  log.putAway(20, (line) => {
    reads += 1;
    return receipt(Number(line));
  });
  // A value nobody went on with, and the log of the one that did.
  log.with(20, receipt(21));
  const copy = log.with(20, receipt(22));
  expect(copy).not.toBe(log);
  expect(copy.receipt(21, 'r-999')).toBeUndefined();
  expect(copy.receipt(21, 'r-21')).toBeUndefined();
  expect(copy.receipt(21, 'r-22')?.seq).toBe(22);
  expect(reads).toBe(0);
  expect(copy.receipt(21, 'r-7')).toEqual(receipt(7));
  expect(reads).toBe(1);
});

test('the numbers of what is put away are told whether it was read since or not', () => {
  const log = logOf(3);
  const read = (line: string): RecordedFact => receipt(Number(line));
  const places = [
    [1, 0],
    [2, 1],
    [3, 2],
  ];
  expect([...log.putAway(3, read)]).toEqual(places);
  log.receipt(3, 'r-2');
  expect([...log.putAway(3, read)]).toEqual(places);
  expect([...log.putAway(2, read)]).toEqual(places.slice(0, 2));
});
