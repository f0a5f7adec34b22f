import { describe, expect, test } from '@jest/globals';
import { findGrowth, type Sample } from './night-growth.ts';

function night(name: string, mebibytes: readonly number[]): Sample[] {
  return mebibytes.map((value, index) => ({ minute: 5 * index, mebibytes: { [name]: value } }));
}

describe('findGrowth', () => {
  test('accepts memory that a cache fills at first, and a restart', () => {
    expect(findGrowth(night('processor-1', [100, 300, 600, 610, 150, 600, 620, 630, 600]))).toEqual([]);
  });

  test('reports memory that still grows in the last third', () => {
    const found = findGrowth(night('processor-1', [100, 200, 300, 400, 500, 600, 700, 800, 900]));
    expect(found).toEqual(['processor-1 held 800 MiB in the last third, 500 MiB before']);
  });

  test('reports memory that grows by a sixth from one third to the next', () => {
    const found = findGrowth(night('gateway-1', [300, 400, 500, 500, 510, 520, 600, 610, 620]));
    expect(found).toEqual(['gateway-1 held 610 MiB in the last third, 510 MiB before']);
  });

  test('accepts a disk that grows evenly with the writes', () => {
    expect(findGrowth(night('disk kafka-1', [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000]))).toEqual([]);
  });

  test('reports a disk that fills ever faster', () => {
    const found = findGrowth(night('disk logs', [0, 0, 0, 0, 10, 20, 20, 120, 320]));
    expect(found).toEqual(['disk logs grew by 300 MiB in the last third, 20 MiB before']);
  });
});
