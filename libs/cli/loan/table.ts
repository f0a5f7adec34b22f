/** A Loan on a day as a person reads it: its plan, what was paid of it, what is owed. Plain text, 100 columns. */
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { Money, Owed } from '#libs/ledger/answers/figures.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import type { LoanOptions } from '#libs/ledger/answers/payment-options.ts';
import type { Schedule, SchedulePeriod } from '#libs/ledger/answers/schedule.ts';
import { type Column, inColumns } from '../columns.ts';
import { inMajorUnits } from '../currency.ts';

/** A Loan of a Client's book, with the days it is late. */
export type ShownLoan = {
  readonly loan: LoanAnswer;
  readonly payment_options: LoanOptions;
  readonly schedule: Schedule;
  readonly delinquency: Delinquency;
};

const width = 100;

export function loanTable(shown: ShownLoan): string {
  return [...head(shown), '', ...plan(shown), '', ...standing(shown), '', ...anomalies(shown)].join('\n');
}

function head({ loan }: ShownLoan): string[] {
  const { terms, state, owed_to, configuration, paid } = loan;
  const principal = terms['principal'] as Money;
  const merchant = terms['merchant_ref'] === undefined ? '' : `, sold by ${terms['merchant_ref']}`;
  const words = state.replaceAll('_', ' ');
  const owes = owed_to === undefined ? 'owes nothing' : `owed to the ${owed_to}`;
  const ended = loan.closed_on ?? loan.ceded_on ?? loan.write_off?.on;
  return [
    `Loan ${terms['reference']} of ${terms['client_id']}${merchant}: ${words}${ended ? ` on ${ended}` : ''}, ${owes}`,
    `${loan.id}, product ${configuration.id} version ${configuration.version}`,
    `${amount(principal)} ${principal.currency} from ${terms['anchor']} over ${terms['term_periods']} periods at ${terms['rate']} %, penalty ${terms['penalty_rate'] ?? '0'} %; paid to date ${amount(paid)}`,
  ].flatMap(folded);
}

function plan({ schedule, delinquency, loan }: ShownLoan): string[] {
  const { periods, totals } = schedule;
  const daysLate = new Map(delinquency.periods.map(({ index, days_past_due }) => [index, days_past_due]));
  const of = (side: 'charged' | 'settled' | 'waived' | 'owed'): string[] => [
    ...periods.map((period) => amount(period[side].total)),
    amount(totals[side].total),
  ];
  const columns: Column[] = [
    { title: '#', cells: [...periods.map(({ index }) => String(index)), ''] },
    { title: 'due on', cells: [...periods.map(({ due_on }) => due_on), 'in all'], isText: true },
    { title: 'charged', cells: of('charged') },
    { title: 'settled', cells: of('settled') },
    // Most Loans were never waived anything.
    ...(totals.waived.total.minor_units === 0 ? [] : [{ title: 'waived', cells: of('waived') }]),
    { title: 'owed', cells: of('owed') },
    { title: 'days late', cells: [...periods.map(({ index }) => String(daysLate.get(index) || '')), ''] },
    { title: 'settled on', cells: [...periods.map((period) => period.settled_on ?? ''), ''], isText: true },
  ];
  const { currency } = (loan.terms as { principal: Money }).principal;
  return [`On ${schedule.on}, in ${currency}`, ...inColumns(columns), ...remarks(periods)];
}

const origins: Readonly<Record<string, string>> = {
  recalculated: 'recalculated after early money or a return',
  rolled_over: 'of a rollover',
  restructured: 'of a restructure',
  called: 'called at once',
  purchase: 'the payment at purchase',
};

/** What of the plan is not as it was issued. */
function remarks(periods: readonly SchedulePeriod[]): string[] {
  const said = new Map<string, number[]>();
  for (const { index, origin, alive } of periods) {
    const remark = alive ? origins[origin] : 'ended: what is left of it stands elsewhere';
    if (remark !== undefined) said.set(remark, [...(said.get(remark) ?? []), index]);
  }
  return [...said].flatMap(([remark, indexes]) => folded(`${spans(indexes)}: ${remark}`));
}

/** 1, 2, 3, 7 as `1-3, 7`. */
function spans(indexes: readonly number[]): string {
  const found: [number, number][] = [];
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && last[1] + 1 === index) last[1] = index;
    else found.push([index, index]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function standing({ payment_options: options, loan }: ShownLoan): string[] {
  const { overdue, late, instalment, payoff, suspension } = options;
  const lines: string[] = [...figure('Overdue', overdue)];
  if (late !== undefined) {
    const periods = late.periods === 1 ? '1 period' : `${late.periods} periods`;
    lines.push(...figure('Late', late.owed, `${periods}, the longest for ${late.worst_days_past_due} days`));
  }
  if (instalment !== undefined) {
    const within = instalment.settled_by === 'overdue' ? ', within what is overdue' : '';
    const when = `period ${instalment.period}, due ${instalment.due_on}, payable from ${instalment.actionable_from}`;
    lines.push(...figure('Instalment', instalment.owed, `${when}${within}`));
  }
  lines.push(...figure('Payoff', payoff.owed, payoffTold(payoff)));
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

function payoffTold({ actionable_on, requires_designation }: LoanOptions['payoff']): string {
  return `on ${actionable_on}, with payoff_intent${requires_designation ? ' and designated to this Loan' : ''}`;
}

const labelWidth = 14;

function label(word: string): string {
  return word.padEnd(labelWidth);
}

/** The sum, what is to be said of it, and what it is made of. */
function figure(word: string, { total, charges }: Owed, remark = ''): string[] {
  const parts = charges.map(({ charge, amount: net, tax }) => {
    const taxed = tax.minor_units === 0 ? '' : ` and ${amount(tax)} tax`;
    return `${charge.replaceAll('_', ' ')} ${amount(net)}${taxed}`;
  });
  const sum = `${label(word)}${amount(total)}${remark === '' ? '' : `  ${remark}`}`;
  return [...folded(sum), ...(parts.length === 0 ? [] : folded(`${label('')}${parts.join(', ')}`))];
}

function anomalies({ schedule }: ShownLoan): string[] {
  const found = schedule.anomalies;
  if (found.length === 0) return [`${label('Anomalies')}none`];
  return found.flatMap(({ kind, detail, facts }, at) => [
    ...folded(`${label(at === 0 ? 'Anomalies' : '')}${kind}: ${detail}`),
    ...facts.map(({ type, id }) => `${label('')}${type} ${id}`),
  ]);
}

/** Lines of at most the width, the later ones below the words of the first. */
function folded(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= labelWidth) break;
    lines.push(rest.slice(0, at));
    rest = `${label('')}${rest.slice(at + 1)}`;
  }
  return [...lines, rest];
}

function amount({ minor_units, currency }: Money): string {
  return inMajorUnits(minor_units, currency);
}
