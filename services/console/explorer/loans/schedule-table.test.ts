import { expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import {
  calendars,
  cancelled,
  ceded,
  type FactBuilder,
  issued,
  received,
  rescinded,
  restructured,
  voided,
  withdrawn,
} from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import type { Loan as ContractLoan } from '#libs/sdk/src/contract/shapes.ts';
import { rendered, visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { schedulePage } from './print-pages.ts';

const { schedule: words } = en.explorer;

/** The printed plan of the first Loan. */
function planOf(on: string, facts: readonly FactBuilder[]): string {
  const { book } = given(...facts);
  const bookDay = bookOnDay(book, dayOf(on), calendars);
  const schedule = scheduleAnswer(bookDay, bookDay.loans[0] as Loan);
  const { state, events } = loanAnswer(book, 0, 'acme') as ContractLoan;
  const loan = { clientId: 'ada', loanId: 'loan', reference: 'loan-1' };
  const paper = { loan, profile: undefined, plan: { loan: { state, events }, schedule } };
  return rendered(schedulePage(visitOfOperator(), { on, isDefaultDay: false, timeZone: 'UTC' }, paper));
}

const statesIn = (page: string): readonly string[] =>
  [...page.matchAll(/data-title="State">([^<]*)</g)].map(([, text]) => text ?? '');

const held = issued({ holdUntil: '2026-01-20' });

test.each<[string, readonly FactBuilder[]]>([
  ['cancelled, Jan 10, 2026', [issued(), cancelled('2026-01-10')]],
  ['rescinded, Jan 10, 2026', [issued(), rescinded('2026-01-10')]],
  ['withdrawn, Jan 10, 2026', [issued({ product: { withdrawalDays: 14 } }), withdrawn('2026-01-10')]],
  ['voided, Jan 10, 2026', [held, voided('2026-01-10')]],
  ['held', [held]],
  ['ceded, Jan 10, 2026', [issued(), ceded('2026-01-10')]],
])('the printed plan of a Loan says %s, and no period is to come', (state, facts) => {
  const page = planOf('2026-03-15', facts);
  const [word = ''] = state.split(',');
  expect(page).toContain(`State: ${state}<`);
  expect(new Set(statesIn(page).filter((text) => text !== ''))).toEqual(new Set([word]));
  expect(page).toContain(words.nothingOwed(word));
});

test('on a day before a Loan was rescinded its periods were still to come', () => {
  const page = planOf('2026-01-05', [issued(), rescinded('2026-01-10')]);
  expect(statesIn(page)).toContain(words.coming);
  expect(page).not.toContain(words.nothingOwed('rescinded'));
});

test('what was paid before a Loan was ceded stays settled', () => {
  const page = planOf('2026-03-15', [issued(), received('2026-01-05', 100_00n), ceded('2026-02-20')]);
  expect(page).toContain('State: ceded, Feb 20, 2026<');
  expect(statesIn(page)).not.toContain(words.coming);
});

test('the periods that a restructure ended are marked, and a sentence says that the total does not count them', () => {
  const page = planOf('2026-03-15', [issued(), restructured('2026-02-10', { termPeriods: 6, rate: '12' })]);
  const ended = [...page.matchAll(/<tr role="row" class="ended">.*?<\/tr>/gs)].map(([row]) => row);
  expect(ended.length).toBe(statesIn(page).filter((text) => text === words.ended).length);
  expect(ended.length).toBeGreaterThan(0);
  expect(page).toContain(words.endedNote);
  expect(planOf('2026-02-09', [issued()])).not.toContain(words.endedNote);
});
