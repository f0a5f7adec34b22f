/** The answer schemas agree with the types of our own code. If they do not, this file does not compile. */
import { expect, test } from '@jest/globals';
import type { BarAnswer } from '#libs/credit/bar.ts';
import type { PolicyAnswer } from '#libs/credit/policy-lifecycle.ts';
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { LoanListingRow } from '#libs/ledger/answers/loan-listing.ts';
import type { ScheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import type { Statement } from '#libs/ledger/answers/statement.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';
import { bar } from './clients.ts';
import { policy } from './credit.ts';
import { delinquency, schedule, statement } from './loan-figures.ts';
import { loanRow } from './loans.ts';

const schemaFor =
  <Answer>() =>
  <T>(schema: TypedJsonSchema<T> & (Answer extends T ? unknown : never)) =>
    schema.jsonSchema;

// Other answers contain JSON of the caller and are validated by the integration tests.
test('answers of our own types match their schemas in the contract', () => {
  const schemas = [
    schemaFor<LoanListingRow>()(loanRow),
    schemaFor<ScheduleAnswer>()(schedule),
    schemaFor<Delinquency>()(delinquency),
    schemaFor<Statement>()(statement),
    schemaFor<BarAnswer>()(bar),
    schemaFor<PolicyAnswer>()(policy),
  ];
  for (const schema of schemas) expect(schema).toMatchObject({ type: 'object', required: expect.any(Array) });
});
