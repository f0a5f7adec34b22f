import { expect, test } from '@jest/globals';
import { FollowerReports } from './follower-reports.ts';

const published = { behind: 0, stoppedPartitions: 0, unknownPartitions: 0, oldestSeconds: 0 };

test('the partitions of a follower that hangs are unknown while others report', () => {
  let now = 0;
  const reports = new FollowerReports<string>(() => now);
  reports.assign('home', 3);
  reports.assign('north', 2);
  expect(reports.state).toEqual({ ...published, unknownPartitions: 5 });
  reports.add('north', { ...published, behind: 7, unknownPartitions: 1, oldestSeconds: 4 });
  reports.add('home', { ...published, behind: 1, stoppedPartitions: 1 });
  expect(reports.state).toEqual({ behind: 8, stoppedPartitions: 1, unknownPartitions: 1, oldestSeconds: 4 });
  now = 61_000;
  reports.add('home', published);
  expect(reports.state).toEqual({ behind: 7, stoppedPartitions: 0, unknownPartitions: 2, oldestSeconds: 65 });
});

test('a follower whose partitions were assigned away is not counted', () => {
  const reports = new FollowerReports<string>();
  reports.assign('north', 2);
  reports.add('north', { ...published, behind: 7 });
  reports.assign('north', 0);
  reports.add('north', { ...published, behind: 7 });
  expect(reports.state).toEqual(published);
});
