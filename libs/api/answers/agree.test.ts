/** What is said of an answer agrees with the type our own code answers with: where it does not, this does not compile. */
import { expect, test } from '@jest/globals';
import type { BarAnswer } from '#libs/credit/bar.ts';
import type { PolicyAnswer } from '#libs/credit/policy-answers.ts';
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { ListingRow } from '#libs/ledger/answers/listing-row.ts';
import type { Schedule } from '#libs/ledger/answers/schedule.ts';
import type { Statement } from '#libs/ledger/answers/statement.ts';
import { bar } from './clients.ts';
import { policy } from './credit.ts';
import { delinquency, schedule, statement } from './loan-days.ts';
import { loanRow } from './loans.ts';
import type { Part } from './part.ts';

const isSaidBy =
  <Answer>() =>
  <T>(part: Part<T> & (Answer extends T ? unknown : never)) =>
    part.jsonSchema;

// Others hold what a caller stated as any JSON: those are held by the journeys alone.
test('an answer that our code types in full is one that the contract describes', () => {
  const said = [
    isSaidBy<ListingRow>()(loanRow),
    isSaidBy<Schedule>()(schedule),
    isSaidBy<Delinquency>()(delinquency),
    isSaidBy<Statement>()(statement),
    isSaidBy<BarAnswer>()(bar),
    isSaidBy<PolicyAnswer>()(policy),
  ];
  for (const schema of said) expect(schema).toMatchObject({ type: 'object', required: expect.any(Array) });
});
