import { expect, test } from '@jest/globals';
import type { StatementLine } from '#libs/sdk/src/contract/shapes.ts';
import { balanceSeries, planAndPaidSeries } from './balance.ts';

const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });

function line(on: string, kind: StatementLine['kind'], total: number): StatementLine {
  return { on, kind, charge: 'principal', amount: mxn(total), tax: mxn(0), total: mxn(total) };
}

const days = { from: '2026-01-01', to: '2026-03-31' };
const lines = [
  line('2026-01-15', 'charged', 1_000),
  line('2026-02-15', 'received', 300),
  line('2026-02-15', 'moved', 50),
  line('2026-03-01', 'released', 100),
];

test('the balance begins with the opening debt, changes on days with lines, and ends with the closing debt', () => {
  expect(balanceSeries({ ...days, opening: mxn(200), closing: mxn(800) }, lines)).toEqual([
    { day: '2026-01-01', amount: mxn(200) },
    { day: '2026-01-15', amount: mxn(1_200) },
    { day: '2026-02-15', amount: mxn(900) },
    { day: '2026-03-01', amount: mxn(800) },
    { day: '2026-03-31', amount: mxn(800) },
  ]);
});

test('lines that do not add up to the closing debt, or are of an unknown kind, are an error', () => {
  expect(() => balanceSeries({ ...days, opening: mxn(200), closing: mxn(801) }, lines)).toThrow('add up to 800');
  const unknown = line('2026-03-02', 'of_a_newer_release', 1);
  expect(() => balanceSeries({ ...days, opening: mxn(200), closing: mxn(799) }, [...lines, unknown])).toThrow(
    'unknown kind of_a_newer_release',
  );
});

test('plan and payments are summed up to each day that has one of them, and payments only to the day asked about', () => {
  const period = { principal: mxn(0), interest: mxn(0), fee: mxn(0), tax: mxn(0) };
  const periods = ['2026-02-15', '2026-03-15'].map((due_on, at) => {
    return { ...period, index: at + 1, scheduled_on: due_on, due_on, payment: mxn(400) };
  });
  const series = planAndPaidSeries(periods, lines, { ...days, to: '2026-03-01', received: mxn(300) });
  expect(series.map(({ day, planned, paid }) => [day, planned.minor_units, paid?.minor_units])).toEqual([
    ['2026-01-01', 0, 0],
    ['2026-02-15', 400, 300],
    ['2026-03-01', 400, 300],
    ['2026-03-15', 800, undefined],
  ]);
});

test('received lines that do not add up to what the statement says was received are an error', () => {
  expect(() => planAndPaidSeries([], lines, { ...days, received: mxn(301) })).toThrow('adds up to 300');
});
