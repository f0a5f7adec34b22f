/** Which alerts the faults must raise. */
import { expect, test } from '@jest/globals';
import { missingAlerts } from './alert-watch.ts';
import { faults } from './faults.ts';

test('every fault must raise an alert, except a replacement of certificates', () => {
  expect(faults.map(({ name }) => name).filter((name) => missingAlerts(name, []).length === 0)).toEqual([
    'certificates',
  ]);
});

test('a clock that is ahead must raise its own alert, and a primary that is gone two', () => {
  expect(missingAlerts('clock-processor-1-ahead', ['LendingDependencyDegraded'])).toEqual(['LendingClockWrong']);
  expect(missingAlerts('primary-machine-kill', ['LendingStandbyMissing'])).toEqual(['LendingRequestsFailing']);
  expect(missingAlerts('primary-machine-kill', ['LendingRequestsFailing'])).toEqual(['LendingStandbyMissing']);
});

test('the loss of two brokers must raise the alert whose runbook is about it', () => {
  expect(missingAlerts('two-brokers-kill', ['LendingRequestsFailing'])).toEqual(['LendingKafkaUnreachable']);
});

test('one of two alerts is enough where the fault may raise either', () => {
  expect(missingAlerts('clock-processor-2-behind', ['LendingDependencyDegraded'])).toEqual([]);
  expect(missingAlerts('primary-kill', [])).toEqual(['LendingStandbyMissing or LendingRequestsFailing']);
});
