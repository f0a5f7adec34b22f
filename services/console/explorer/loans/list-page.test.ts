import { expect, test } from '@jest/globals';
import { isStateRequested } from '#libs/database/read-loans.ts';
import { rendered, visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { es } from '../../texts/es.ts';
import { loanListPage } from './list-page.ts';

/** A hold that expired is stored as held. */
const storedAs = (state: string): string => (state === 'expired' ? 'held' : state);
const noFilter = { client_id: '', configuration_id: '', merchant_ref: '', state: '' };

test.each([en, es])('a list of Loans without a state names each state that it leaves out ($language)', (texts) => {
  const page = rendered(loanListPage(visitOfOperator({ texts }), noFilter, { loans: [] }, true));
  const [, choice = ''] = /<option value[^>]*>([^<]*)<\/option>/.exec(page) ?? [];
  const { states } = texts.explorer;
  const leftOut = Object.entries(states).filter(([state]) => !isStateRequested(storedAs(state), undefined));
  expect(leftOut.map(([state]) => state)).toEqual(['held', 'expired', 'voided']);
  const named = Object.entries(states).filter(([, text]) => choice.includes(text));
  expect(named).toEqual(leftOut);
  expect(page).toContain(texts.explorer.loans.heldLeftOut);
});
