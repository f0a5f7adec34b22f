/** The periods of a Loan behind a figure: what each is charged, settled, waived and owes, and its part of the figure. */
import type { LoanExplanation, Money, Owed, PeriodParts, ScheduledPeriod } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { owedAmount } from '../figures.ts';
import { type Content, type Html, html } from '../html.ts';
import { type Column, table } from '../table.ts';
import { wordFor } from '../terms.ts';

type PeriodFigure = 'overdue' | 'late' | 'payoff' | 'instalment';

/** A Loan may have 600 periods; the page stays short. */
const maxPeriods = 60;

interface ExplainedPeriod {
  readonly period: ScheduledPeriod;
  readonly parts: PeriodParts;
}

/** The periods that are part of the figure. */
export function periodSection(visit: Visit, explained: LoanExplanation, figure: PeriodFigure): Content {
  const { texts } = visit;
  const { explanation: words } = texts;
  const rows = periodsIn(explained, figure);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, maxPeriods);
  const count = new Intl.NumberFormat(texts.locale);
  const charges = new Set(shown.flatMap(({ parts }) => parts[figure].charges.map(({ charge }) => charge)));
  return html`<section>
    <h2>${words.periods}</h2>
    <p>${words.periodsIntro} ${figure === 'payoff' && words.accruing} ${figure === 'payoff' && settlementNote(visit, rows)}</p>
    ${rows.length > maxPeriods && html`<p>${words.periodsRest(count.format(maxPeriods), count.format(rows.length))}</p>`}
    ${periodTable(visit, figure, shown, totalOf(explained, figure))}
    ${charges.has('penalty') && penaltyTable(visit, shown)}
    ${charges.has('interest') && interestTable(visit, shown)}
  </section>`;
}

function periodsIn({ periods, schedule }: LoanExplanation, figure: PeriodFigure): readonly ExplainedPeriod[] {
  const scheduled = new Map(schedule.periods.map((period) => [period.index, period]));
  return periods.flatMap((parts) => {
    const period = scheduled.get(parts.index);
    return period === undefined || parts[figure].charges.length === 0 ? [] : [{ period, parts }];
  });
}

function totalOf({ payment_options: options }: LoanExplanation, figure: PeriodFigure): Owed | undefined {
  if (figure === 'overdue') return options.overdue;
  return figure === 'payoff' ? options.payoff.owed : options[figure]?.owed;
}

/** Principal is whole in a payoff, unless a settlement for less left the rest out. */
function settlementNote({ texts }: Visit, rows: readonly ExplainedPeriod[]): Content {
  const isShort = rows.some(({ period, parts }) => principalOf(parts.payoff) < principalOf(period.owed));
  return isShort && texts.explanation.settlement;
}

function principalOf({ charges }: Owed): number {
  return charges.find(({ charge }) => charge === 'principal')?.total.minor_units ?? 0;
}

function periodTable(
  visit: Visit,
  figure: PeriodFigure,
  rows: readonly ExplainedPeriod[],
  total: Owed | undefined,
): Html {
  const { explanation: words } = visit.texts;
  const side = (title: string, of: (row: ExplainedPeriod) => Owed): Column<ExplainedPeriod | undefined> => ({
    title,
    cell: (row) => row && owedAmount(visit.texts, of(row)),
    isNumber: true,
  });
  return table<ExplainedPeriod | undefined>(
    words.periods,
    [
      { title: words.period, cell: (row) => (row === undefined ? words.total : periodName(visit, row)) },
      { title: words.dueOn, cell: (row) => row && dueCell(visit, row) },
      side(words.charged, ({ period }) => period.charged),
      side(words.settled, ({ period }) => period.settled),
      side(words.waived, ({ period }) => period.waived),
      side(words.owed, ({ period }) => period.owed),
      {
        title: words.inFigure,
        cell: (row) => {
          if (row !== undefined) return owedAmount(visit.texts, row.parts[figure]);
          return total && html`<strong>${formatMoney(visit.texts, total.total)}</strong>`;
        },
        isNumber: true,
      },
    ],
    [...rows, undefined],
  );
}

function periodName({ texts }: Visit, { period }: ExplainedPeriod): Content {
  return html`${period.index}<small class="parts">${wordFor(texts.explanation.origins, period.origin)}</small>`;
}

function dueCell({ texts }: Visit, { period, parts }: ExplainedPeriod): Content {
  const { explanation: words } = texts;
  const { days_past_due: days, late_since: since } = parts;
  return html`${formatDay(texts, period.due_on)}
    ${days > 0 && html`<small class="parts">${words.daysPastDue(days)}</small>`}
    ${since !== undefined && html`<small class="parts">${words.lateSince(formatDay(texts, since))}</small>`}`;
}

function penaltyTable(visit: Visit, rows: readonly ExplainedPeriod[]): Content {
  const { texts } = visit;
  const { explanation: words } = texts;
  const withPenalty = rows.flatMap(({ period, parts: { penalty } }) =>
    penalty === undefined ? [] : [{ period, penalty }],
  );
  if (withPenalty.length === 0) return null;
  return html`<h3>${words.penalties}</h3>
    ${table<(typeof withPenalty)[number]>(
      words.penalties,
      [
        { title: words.period, cell: ({ period }) => period.index },
        { title: words.penaltyBase, cell: ({ penalty }) => formatMoney(texts, penalty.base), isNumber: true },
        { title: words.penaltyDays, cell: ({ penalty }) => penalty.days, isNumber: true },
        { title: words.penaltyBaseDays, cell: ({ penalty }) => baseDays(visit, penalty), isNumber: true },
        { title: words.penaltyRate, cell: ({ penalty }) => words.perCent(penalty.rate), isNumber: true },
        { title: words.penaltyCharged, cell: ({ period }) => chargeOf(visit, period, 'penalty'), isNumber: true },
      ],
      withPenalty,
    )}`;
}

/** Minor units times days, shown in whole units of the currency. */
function baseDays({ texts }: Visit, { base, base_days: sum }: NonNullable<PeriodParts['penalty']>): Content {
  const units = Number(sum);
  if (sum === undefined || !Number.isSafeInteger(units)) return '–';
  return formatMoney(texts, { minor_units: units, currency: base.currency });
}

function interestTable(visit: Visit, rows: readonly ExplainedPeriod[]): Html {
  const { texts } = visit;
  const { explanation: words } = texts;
  return html`<h3>${words.interests}</h3>
    ${table<ExplainedPeriod>(
      words.interests,
      [
        { title: words.period, cell: ({ period }) => period.index },
        {
          title: words.interestSpan,
          cell: ({ parts: { interest } }) => words.span(formatDay(texts, interest.from), formatDay(texts, interest.to)),
        },
        {
          title: words.balance,
          cell: ({ parts: { interest } }) =>
            html`${formatMoney(texts, interest.balance)}
              ${
                interest.balance_from !== interest.from &&
                html`<small class="parts">${words.balanceSince(formatDay(texts, interest.balance_from))}</small>`
              }`,
          isNumber: true,
        },
        { title: words.penaltyRate, cell: ({ parts: { interest } }) => words.perCent(interest.rate), isNumber: true },
        { title: words.charged, cell: ({ period }) => chargeOf(visit, period, 'interest'), isNumber: true },
      ],
      rows.filter(({ period }) => period.charged.charges.some(({ charge }) => charge === 'interest')),
    )}`;
}

function chargeOf({ texts }: Visit, { charged }: ScheduledPeriod, charge: string): Content {
  const amount: Money | undefined = charged.charges.find((line) => line.charge === charge)?.amount;
  return amount && formatMoney(texts, amount);
}
