import { expect, test } from '@jest/globals';
import { tenanciesWithOtherFeed } from './table-walks.ts';

test('a feed is searched where the facts of all partitions are more or fewer than its entries', () => {
  const ofFeed = { equal: 5, more: 2, fewer: 4, none: 1 };
  const ofPartitions = [
    { equal: 2, more: 3 },
    { equal: 3, fewer: 3 },
  ];
  expect(tenanciesWithOtherFeed(ofFeed, ofPartitions)).toEqual(['more', 'fewer', 'none']);
});
