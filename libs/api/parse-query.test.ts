import { expect, test } from '@jest/globals';
import { parseQuery, type QuerySchema } from '#libs/api/parse-query.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

function parsed(name: RouteName, query: string): unknown {
  const result = parseQuery<QuerySchema>(query, routes[name].query);
  return isRefusal(result) ? `${result.code} ${result.details?.field}` : result.query;
}

test.each<[RouteName, string, unknown]>([
  ['listLoans', '', { limit: 50 }],
  ['listLoans', 'client_id=c-1&merchant_ref=M%2D7&limit=200', { client_id: 'c-1', merchant_ref: 'M-7', limit: 200 }],
  ['listLoans', 'state=expired&on=2026-11-05', { state: 'expired', on: '2026-11-05', limit: 50 }],
  ['listLoans', '%6Cimit=7', { limit: 7 }],
  ['listLoans', 'limit=0', 'invalid_query limit'],
  ['listLoans', 'limit=201', 'invalid_query limit'],
  ['listLoans', 'limit=050', 'invalid_query limit'],
  ['listLoans', 'limit=+5', 'invalid_query limit'],
  ['listLoans', 'limit=5.0', 'invalid_query limit'],
  ['listLoans', 'limit=-1', 'invalid_query limit'],
  ['listLoans', 'limit=', 'invalid_query limit'],
  ['listLoans', 'limit', 'invalid_query limit'],
  ['listLoans', 'limit=5&limit=5', 'invalid_query limit'],
  ['listLoans', '&limit=5', 'invalid_query '],
  ['listLoans', 'limit=5&', 'invalid_query '],
  ['listLoans', 'limit=5&&state=active', 'invalid_query '],
  ['listLoans', 'Limit=5', 'invalid_query Limit'],
  ['listLoans', 'page=2', 'invalid_query page'],
  ['listLoans', 'constructor=2', 'invalid_query constructor'],
  ['listLoans', 'state=late', 'invalid_query state'],
  ['listLoans', 'client_id=a+b', 'invalid_query client_id'],
  ['listLoans', 'client_id=%', 'invalid_query client_id'],
  ['listLoans', 'client_id=%ff', 'invalid_query client_id'],
  ['listLoans', '%zz=1', 'invalid_query %zz=1'],
  ['listLoans', 'on=2026-13-01', 'invalid_query on'],
  ['listLoans', 'cursor=a%2Bb+c', { cursor: 'a+b c', limit: 50 }],
  ['readLoan', 'on=2026-11-05', 'invalid_query on'],
  ['readDecision', 'x=1', 'invalid_query x'],
  ['readPaymentOptions', '', 'outside_loan on'],
  ['readPaymentOptions', 'on=today', 'invalid_query on'],
  ['readPaymentOptions', 'known_at=now', 'invalid_query known_at'],
  ['readBar', '', 'invalid_application on'],
  ['readBar', 'on=2026-02-29', 'invalid_application on'],
  ['readBar', 'on=', 'invalid_query on'],
  ['readBar', 'on=2026-11-05&on=2026-11-05', 'invalid_query on'],
  ['readStatement', 'to=2026-11-05', 'missing_field from'],
  ['readStatement', 'to=never', 'invalid_query to'],
  ['readStatement', 'from=2026-11-06&to=2026-11-05', 'invalid_query to'],
  ['readLoanStatement', 'from=2026-11-05&to=2026-11-05', { from: '2026-11-05', to: '2026-11-05' }],
  ['listLoans', 'state=expired', 'invalid_query state'],
  ['readChanges', 'on=2026-11-05&from_facts=10&to_facts=9', 'invalid_query to_facts'],
  ['readChanges', 'on=2026-11-05&from_facts=9&to_facts=10', { on: '2026-11-05', from_facts: 9, to_facts: 10 }],
  ['readSchedule', '', 'missing_field on'],
  [
    'readDues',
    'on=2026-11-05&only=late&min_days_past_due=1',
    { on: '2026-11-05', only: 'late', min_days_past_due: 1, limit: 50 },
  ],
  ['readDues', 'on=2026-11-05&min_days_past_due=0', 'invalid_query min_days_past_due'],
  ['listFacilities', 'client=', 'invalid_query client'],
  ['listFacilities', 'limit=5', 'invalid_query limit'],
  ['listLookupKeys', 'lookup_key=a&lookup_key=b', { lookup_key: ['a', 'b'] }],
  [
    'listLookupKeys',
    Array.from({ length: 10 }, (_, at) => `lookup_key=k${at}`).join('&'),
    { lookup_key: Array.from({ length: 10 }, (_, at) => `k${at}`) },
  ],
  ['listLookupKeys', Array.from({ length: 11 }, (_, at) => `lookup_key=k${at}`).join('&'), 'invalid_query lookup_key'],
  ['issueLoan', 'dry_run=true', 'invalid_query dry_run'],
])('%s parses %j', (name, query, expected) => {
  expect(parsed(name, query)).toEqual(expected);
});
