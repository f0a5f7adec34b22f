/** The plan of a Loan on a day: what each period charges, and what was settled, waived and is owed of it. */
import type { Loan, LoanSchedule, Owed, ScheduledPeriod } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { owedAmount } from '../../figures.ts';
import { type Content, html } from '../../html.ts';
import { table } from '../../table.ts';
import { wordFor } from '../../terms.ts';

export function scheduleTable(
  { texts }: Visit,
  { periods, totals }: LoanSchedule,
  state: Loan['state'],
  whyPaid?: Content,
): Content {
  const words = texts.explorer.schedule;
  // The state is by all facts: on an earlier day the plan may still have been owed.
  const isStopped = !running.includes(state) && totals.owed.total.minor_units === 0;
  const stoppedState = isStopped ? wordFor(texts.explorer.states, state) : undefined;
  const stateOf = (period: ScheduledPeriod): Content =>
    periodState(words, period, (day) => formatDay(texts, day), stoppedState);
  const amount = (owed: Owed): Content => owedAmount(texts, owed);
  const rows: readonly (ScheduledPeriod | 'totals')[] = [...periods, 'totals'];
  type Row = (typeof rows)[number];
  const ofPeriod =
    (cell: (period: ScheduledPeriod) => Content, total: Content = null) =>
    (row: Row): Content =>
      row === 'totals' ? total : cell(row);
  const plan = table<Row>(
    words.title,
    [
      { title: words.period, cell: ofPeriod(({ index }) => index, html`<strong>${words.total}</strong>`) },
      {
        title: words.dueOn,
        cell: ofPeriod(({ due_on }) => html`<span class="day">${formatDay(texts, due_on)}</span>`),
      },
      {
        title: words.charged,
        cell: ofPeriod(({ charged }) => amount(charged), amount(totals.charged)),
        isNumber: true,
      },
      {
        title: words.settled,
        cell: ofPeriod(({ settled }) => amount(settled), owedAmount(texts, totals.settled, whyPaid)),
        isNumber: true,
      },
      { title: words.waived, cell: ofPeriod(({ waived }) => amount(waived), amount(totals.waived)), isNumber: true },
      { title: words.owed, cell: ofPeriod(({ owed }) => amount(owed), amount(totals.owed)), isNumber: true },
      { title: words.state, cell: ofPeriod(stateOf) },
      { title: words.origin, cell: ofPeriod(({ origin }) => wordFor(texts.explorer.origins, origin)) },
    ],
    rows,
    (row) => row !== 'totals' && !row.alive && 'ended',
  );
  const isUnsettled = periods.some(({ alive, settled_on }) => alive && settled_on === undefined);
  return [
    plan,
    periods.some(({ alive }) => !alive) && html`<p><small>${words.endedNote}</small></p>`,
    stoppedState !== undefined && isUnsettled && html`<p><small>${words.nothingOwed(stoppedState)}</small></p>`,
  ];
}

const running: readonly Loan['state'][] = ['active', 'restructured'];

type Words = Visit['texts']['explorer']['schedule'];

function periodState(
  words: Words,
  period: ScheduledPeriod,
  format: (day: string) => string,
  stoppedState: string | undefined,
): Content {
  const { alive, settled_on, late, fallen_due } = period;
  if (!alive) return words.ended;
  if (settled_on !== undefined) return words.settledOn(format(settled_on));
  if (stoppedState !== undefined) return stoppedState;
  if (late) return html`<mark>${words.late}</mark>`;
  return fallen_due ? words.fallenDue : words.coming;
}
