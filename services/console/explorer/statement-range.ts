/** The days of a statement. */
import type { Request } from 'express';
import { parseDay } from '#libs/calendar/civil-day.ts';
import { knowledgeField } from '../clock-form.ts';
import { asTimestamp, type Clocks } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { errorList, field, queryText } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { QueryValues } from '../tenancy-path.ts';

export interface StatementRange {
  readonly from: string;
  readonly to: string;
  readonly knownAt?: string;
}

/** Unless they are stated: to the day of the clocks, from the first day that the page chooses. */
export function rangeOf(request: Request, { on }: Clocks, firstDay: (to: string) => string): StatementRange {
  const to = queryText(request, 'to') || on;
  const first = firstDay(to);
  const from = queryText(request, 'from') || (first < to ? first : to);
  const knownAt = asTimestamp(queryText(request, 'known_at'));
  return { from, to, ...(knownAt === '' ? {} : { knownAt }) };
}

/** Whether it ends before it begins. What is no day is refused by the API. */
export function isReversed({ from, to }: StatementRange): boolean {
  const [first, last] = [parseDay(from), parseDay(to)];
  return first !== undefined && last !== undefined && last < first;
}

/** For a link to a statement: the chosen day is its last one. */
export function lastDay({ clocks }: Visit): QueryValues {
  return { on: undefined, to: clocks['on'] };
}

export function rangeForm({ texts, path }: Visit, { from, to, knownAt }: StatementRange): Html {
  const { statement: words, clocks } = texts.explorer;
  return html`<form method="get" action=${path} class="clocks">
    ${field({ name: 'from', label: words.from, type: 'date', value: from })}
    ${field({ name: 'to', label: words.to, type: 'date', value: to })} ${knowledgeField(texts, knownAt)}
    <button class="secondary">${clocks.show}</button>
  </form>`;
}

/** In place of a statement: the days as entered, to correct them. */
export function reversedRangeForm(visit: Visit, range: StatementRange): Content {
  return [errorList([visit.texts.explorer.statement.reversed]), rangeForm(visit, range)];
}

/** For a link that stays at the same days and the same knowledge. */
export function rangeQuery({ from, to, knownAt }: StatementRange): Readonly<Record<string, string | undefined>> {
  return { from, to, known_at: knownAt };
}
