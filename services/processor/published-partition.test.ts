import { describe, expect, test } from '@jest/globals';
import { PublishedPartition } from './published-partition.ts';

describe('committed events that are not published', () => {
  test('are counted by the last known end while the end must be read again', () => {
    const partition = new PublishedPartition(0, 2_080, 12);
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition.unpublishedEvents).toBe(2_076);
    partition.forgetEnd();
    expect(partition.unpublishedEvents).toBe(2_076);
  });

  test('are at least one in a stopped partition', () => {
    const partition = new PublishedPartition(0, 4, 12);
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition.unpublishedEvents).toBe(0);
    partition.stop();
    expect(partition.unpublishedEvents).toBe(1);
  });
});

test('the first event that waits is the one after the last known end, also while the end must be read again', () => {
  const partition = new PublishedPartition(0, 6, 12);
  expect(partition.firstUnpublished).toBeUndefined();
  partition.setEnd({ sequence: 4, nextOffset: 4 });
  partition.forgetEnd();
  expect(partition.firstUnpublished).toBe(5);
  partition.setEnd({ sequence: 6, nextOffset: 6 });
  expect(partition.firstUnpublished).toBeUndefined();
});

describe('a stopped partition', () => {
  test('counts as stopped until a check of it found nothing', () => {
    const partition = new PublishedPartition(0, 4, 12);
    partition.stop();
    expect(partition).toMatchObject({ isStopped: true, isPaused: true, hasWork: false });
    partition.recheck();
    expect(partition).toMatchObject({ isStopped: true, isPaused: false, hasWork: true });
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition).toMatchObject({ isStopped: true, hasWork: true });
    partition.resume();
    expect(partition).toMatchObject({ isStopped: false, hasWork: false });
  });

  test('stays stopped where the check finds the same', () => {
    const partition = new PublishedPartition(0, 4, 12);
    partition.stop();
    partition.recheck();
    partition.stop();
    expect(partition).toMatchObject({ isStopped: true, isPaused: true, hasWork: false });
  });
});
