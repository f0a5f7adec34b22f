/** A Loan on a day in plain text of 100 columns: its plan, what was paid and what is owed. */

import type { OwedFigure } from '#libs/ledger/answers/amounts-json.ts';
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import type { LoanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import type { ScheduleAnswer, SchedulePeriod } from '#libs/ledger/answers/schedule.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { formatAmount } from './output/currency.ts';
import { type Column, formatTable } from './output/text-table.ts';
import { wrapText } from './output/wrap-text.ts';

/** A Loan of a Client's book, with its delinquency. */
export type LoanAnswers = {
  readonly loan: LoanAnswer;
  readonly payment_options: LoanPaymentOptions;
  readonly schedule: ScheduleAnswer;
  readonly delinquency: Delinquency;
};

const width = 100;

export function formatLoan(loan: LoanAnswers): string {
  return [...header(loan), '', ...plan(loan), '', ...figures(loan), '', ...anomalies(loan)].join('\n');
}

function header({ loan }: LoanAnswers): string[] {
  const { terms, state, owed_to, configuration, paid } = loan;
  const principal = terms['principal'] as MoneyJson;
  const merchant = terms['merchant_ref'] === undefined ? '' : `, sold by ${terms['merchant_ref']}`;
  const words = state.replaceAll('_', ' ');
  const owes = owed_to === undefined ? 'owes nothing' : `owed to the ${owed_to}`;
  const ended = loan.closed_on ?? loan.ceded_on ?? loan.write_off?.on;
  return [
    `Loan ${terms['reference']} of ${terms['client_id']}${merchant}: ${words}${ended ? ` on ${ended}` : ''}, ${owes}`,
    `${loan.id}, product ${configuration.id} version ${configuration.version}`,
    `${amount(principal)} ${principal.currency} from ${terms['anchor']} over ${terms['term_periods']} periods at ${terms['rate']} %, penalty ${terms['penalty_rate'] ?? '0'} %; paid to date ${amount(paid)}`,
  ].flatMap(wrapped);
}

function plan({ schedule, delinquency, loan }: LoanAnswers): string[] {
  const { periods, totals } = schedule;
  const daysLate = new Map(delinquency.periods.map(({ index, days_past_due }) => [index, days_past_due]));
  const of = (side: 'charged' | 'settled' | 'waived' | 'owed'): string[] => [
    ...periods.map((period) => amount(period[side].total)),
    amount(totals[side].total),
  ];
  const columns: Column[] = [
    { title: '#', cells: [...periods.map(({ index }) => String(index)), ''] },
    { title: 'due on', cells: [...periods.map(({ due_on }) => due_on), 'total'], isText: true },
    { title: 'charged', cells: of('charged') },
    { title: 'settled', cells: of('settled') },
    // Most Loans have no waiver.
    ...(totals.waived.total.minor_units === 0 ? [] : [{ title: 'waived', cells: of('waived') }]),
    { title: 'owed', cells: of('owed') },
    { title: 'days late', cells: [...periods.map(({ index }) => String(daysLate.get(index) || '')), ''] },
    { title: 'settled on', cells: [...periods.map((period) => period.settled_on ?? ''), ''], isText: true },
  ];
  const { currency } = (loan.terms as { principal: MoneyJson }).principal;
  return [`On ${schedule.on}, in ${currency}`, ...formatTable(columns), ...remarks(periods)];
}

const originRemarks: Readonly<Record<string, string>> = {
  recalculated: 'recalculated after early money or a return',
  rolled_over: 'from a rollover',
  restructured: 'from a restructure',
  called: 'called due at once',
  purchase: 'the payment at purchase',
};

/** Periods that differ from the plan at issuance, and why. */
function remarks(periods: readonly SchedulePeriod[]): string[] {
  const indexesOf = new Map<string, number[]>();
  for (const { index, origin, alive } of periods) {
    const remark = alive ? originRemarks[origin] : 'ended: its debt moved to other periods';
    if (remark !== undefined) indexesOf.set(remark, [...(indexesOf.get(remark) ?? []), index]);
  }
  return [...indexesOf].flatMap(([remark, indexes]) => wrapped(`${formatRanges(indexes)}: ${remark}`));
}

/** 1, 2, 3, 7 as `1-3, 7`. */
function formatRanges(indexes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === index) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function figures({ payment_options: options, loan }: LoanAnswers): string[] {
  const { overdue, late, instalment, payoff, suspension } = options;
  const lines: string[] = [...figure('Overdue', overdue)];
  if (late !== undefined) {
    const periods = late.periods === 1 ? '1 period' : `${late.periods} periods`;
    lines.push(...figure('Late', late.owed, `${periods}, the longest for ${late.worst_days_past_due} days`));
  }
  if (instalment !== undefined) {
    const within = instalment.settled_by === 'overdue' ? ', included in overdue' : '';
    const when = `period ${instalment.period}, due ${instalment.due_on}, payable from ${instalment.actionable_from}`;
    lines.push(...figure('Instalment', instalment.owed, `${when}${within}`));
  }
  lines.push(...figure('Payoff', payoff.owed, payoffRemark(payoff)));
  if (suspension !== undefined) {
    const { from, to, ended_on } = suspension;
    lines.push(`${label('Suspended')}${from} to ${to}${ended_on === undefined ? '' : `, ended on ${ended_on}`}`);
  }
  if (loan.write_off !== undefined) {
    const { on, cost, recovered } = loan.write_off;
    lines.push(...figure('Written off', cost, `on ${on}; recovered since ${amount(recovered)}`));
  }
  return lines;
}

/** A payoff names its Loan even where the Client has no other one. */
function payoffRemark({ actionable_on }: LoanPaymentOptions['payoff']): string {
  return `on ${actionable_on}, with payoff_intent and designated to this Loan`;
}

const labelWidth = 14;

function label(word: string): string {
  return word.padEnd(labelWidth);
}

/** The total with a remark, and the charges it consists of. */
function figure(word: string, { total, charges }: OwedFigure, remark = ''): string[] {
  const parts = charges.map(({ charge, amount: net, tax }) => {
    const taxed = tax.minor_units === 0 ? '' : ` and ${amount(tax)} tax`;
    return `${charge.replaceAll('_', ' ')} ${amount(net)}${taxed}`;
  });
  const sum = `${label(word)}${amount(total)}${remark === '' ? '' : `  ${remark}`}`;
  return [...wrapped(sum), ...(parts.length === 0 ? [] : wrapped(`${label('')}${parts.join(', ')}`))];
}

function anomalies({ schedule }: LoanAnswers): string[] {
  const found = schedule.anomalies;
  if (found.length === 0) return [`${label('Anomalies')}none`];
  return found.flatMap(({ kind, detail, facts }, at) => [
    ...wrapped(`${label(at === 0 ? 'Anomalies' : '')}${kind}: ${detail}`),
    ...facts.map(({ type, id }) => `${label('')}${type} ${id}`),
  ]);
}

/** Continuation lines are indented below the text of the first. */
function wrapped(line: string): string[] {
  return wrapText(line, width, label(''));
}

function amount({ minor_units, currency }: MoneyJson): string {
  return formatAmount(minor_units, currency);
}
