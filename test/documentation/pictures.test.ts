/**
 * The pictures of the guides show figures of the ledger. `UPDATE_PICTURES=1 npm run -s jest -- test/documentation`
 * writes them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { issued, received, reversed } from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import { type ChartDay, drawChart, drawShares, line, type Share, svg, text } from './draw-chart.ts';

const loan = issued({
  principal: 3_000_00n,
  rate: '36',
  penaltyRate: '72',
  product: { amortisation: 'level_payment' },
});
const dueDays = ['2026-01-31', '2026-03-02', '2026-04-01'];
const end = '2026-05-01';

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day = addDays(day, 1)) days.push(formatDay(day));
  return days;
}

function debtByDay(scenario: Scenario): readonly ChartDay[] {
  return daysBetween('2026-01-01', end).map((day) => ({ day, value: Number(scenario.debt(day)) / 100 }));
}

const pesos = (minor: bigint) => (Number(minor) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

const firstPayment = received('2026-01-31', 1_071_00n, { reference: 'first' });
const latePayment = received('2026-03-20', 1_500_00n, { reference: 'late' });
const lifeOfALoan = given(loan, firstPayment, latePayment);
const paidOff = lifeOfALoan.when(received('2026-04-10', lifeOfALoan.debt('2026-04-10'), { reference: 'last' }));

const beforeReversal = given(loan, firstPayment);
const afterReversal = beforeReversal.when(reversed('first'));

const chargeOrder = ['penalty', 'late_fee', 'fee', 'interest', 'principal'];

/** Line by line, then the principal that the rest prepays. */
function allocationShares(): readonly Share[] {
  const [share] = lifeOfALoan.allocation('late').shares;
  const paidFirst = (share?.lines ?? []).toSorted(
    (a, b) => chargeOrder.indexOf(a.charge) - chargeOrder.indexOf(b.charge),
  );
  const lines = paidFirst.map(({ period, charge, amount, tax }) => ({
    label: `${charge.replace('_', ' ')}${tax > 0n ? ' and tax' : ''}\nof period ${period}`,
    amount: pesos(amount + tax),
    value: Number(amount + tax),
  }));
  const early = share?.early ?? 0n;
  return [...lines, { label: 'principal of\nlater periods', amount: pesos(early), value: Number(early) }];
}

/** Each fact has a place on both clocks; a read sees those to the left of its day and below its moment. */
function twoClocks(): string {
  const at = { left: 150, bottom: 270, right: 700, top: 30 };
  const facts = [
    { x: 180, y: 245, label: 'Loan issued, recorded on 15 January' },
    { x: 250, y: 190, label: 'Receipt of 16 February, recorded the same day' },
    { x: 262, y: 80, label: 'Receipt of 18 February, recorded on 3 March' },
  ];
  return svg('Three facts by the day they are about and the moment they were recorded', 720, 330, [
    `<rect class="p-area" fill="#eef0ff" x="${at.left}" y="135" width="${590 - at.left}" height="${at.bottom - 135}"/>`,
    line(at.left, at.bottom, at.right, at.bottom, 'soft'),
    line(at.left, at.top, at.left, at.bottom, 'soft'),
    text(at.left, at.bottom + 24, 'the day the fact is about →', 'soft'),
    text(at.left, 20, '↑ the moment it was recorded', 'soft', 'middle'),
    line(590, at.top, 590, at.bottom, 'line'),
    text(590, at.bottom + 24, 'on', 'line', 'middle'),
    text(590, at.bottom + 42, '20 February', 'line', 'middle'),
    line(at.left, 135, at.right, 135, 'line'),
    text(at.left - 8, 132, 'known_at', 'line', 'end'),
    text(at.left - 8, 150, '1 March', 'line', 'end'),
    ...facts.flatMap(({ x, y, label }) => [
      `<circle class="p-dot" fill="#4338ca" cx="${x}" cy="${y}" r="5"/>`,
      text(x + 12, y + 4, label, 'text'),
    ]),
  ]);
}

const pictures: Readonly<Record<string, () => string>> = {
  'two-clocks': twoClocks,
  'life-of-a-loan': () =>
    drawChart({
      title:
        'What discharging a Loan of 3,000 pesos takes on each day: it rises with interest, falls with each Receipt, and is zero after the last one',
      days: debtByDay(paidOff),
      label: 'What discharges the Loan on each day, in pesos',
      marks: [
        { day: '2026-01-31', text: 'Receipt 1,071.00' },
        { day: '2026-03-20', text: 'Receipt 1,500.00' },
        { day: '2026-04-10', text: `Receipt ${pesos(lifeOfALoan.debt('2026-04-10'))}`, rise: 40 },
      ],
      ticks: ['2026-01-01', ...dueDays, end],
      shaded: { from: '2026-03-03', to: '2026-03-20', text: 'late' },
      max: 4_000,
      step: 1_000,
    }),
  'reversed-receipt': () =>
    drawChart({
      title:
        'The debt of a Loan by day before and after its first Receipt is reversed: without the Receipt the debt rises faster',
      days: debtByDay(beforeReversal),
      label: 'Before the reversal is recorded',
      other: { days: debtByDay(afterReversal), label: 'After it is recorded' },
      marks: [{ day: '2026-01-31', text: 'Receipt 1,071.00', rise: -24 }],
      ticks: ['2026-01-01', ...dueDays, end],
      max: 4_000,
      step: 1_000,
    }),
  'allocation-of-a-receipt': () =>
    drawShares(
      'A Receipt of 1,500.00 pesos divided over penalty, interest and principal of the late period, and the rest',
      '1,500.00 pesos on 20 March, 18 days after the second due day',
      allocationShares(),
    ),
};

test.each(Object.keys(pictures))('the picture %s shows what the ledger computes', (name) => {
  const file = new URL(`../../docs/guide/pictures/${name}.svg`, import.meta.url);
  const drawn = pictures[name]?.() ?? '';
  if (process.env['UPDATE_PICTURES'] !== undefined) writeFileSync(file, drawn);
  expect(readFileSync(file, 'utf8')).toBe(drawn);
});
