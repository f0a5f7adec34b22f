import { expect, test } from '@jest/globals';
import { provisioningRows } from './provisioning.ts';

test('a year of Receipts needs its bytes in the store, and those of the kept days elsewhere', () => {
  const need = {
    storeBytes: 1_000,
    requestLogBytes: 365,
    walBytes: 3_650,
    sparseWalBytes: 36_500,
    submissionBytes: 365,
    eventBytes: 500,
  };
  expect(provisioningRows(need, [31_536_000, 1_000_000_000])).toEqual([
    ['Receipts per second, mean', '1.0', '31.7'],
    ['Receipts per second, peak (20 times)', '20', '634'],
    ['Postgres, growth in a year', '32 GB', '1.0 TB'],
    ['request log of 30 days', '0.9 GB', '30 GB'],
    ['write-ahead log in a day', '0.3 GB to 3.2 GB', '10 GB to 100 GB'],
    ['backup store: 8 days of log', '2.5 GB to 25 GB', '80 GB to 800 GB'],
    ['submissions kept for 30 days, 3 replicas', '2.8 GB', '90 GB'],
    ['events of a year, 3 replicas', '47 GB', '1.5 TB'],
  ]);
});
