import { describe, expect, test } from '@jest/globals';
import { whileItMoves, within } from './patience.ts';

const never = new Promise<never>(() => undefined);

describe('work that may never end', () => {
  test('is what it came to', async () => {
    expect(await within(Promise.resolve('joined'), 60_000)).toEqual({ done: 'joined' });
  });

  test('is given up', async () => {
    expect(await within(never, 1)).toBeUndefined();
  });

  test('fails as it does', async () => {
    await expect(within(Promise.reject(new Error('away')), 60_000)).rejects.toThrow('away');
  });
});

describe('what comes nearer', () => {
  const moving = { isThere: () => false, far: () => 7, isAtWork: () => false, patientForMs: 60_000, failed: never };

  test('is waited for as long as it does', async () => {
    let far = 0;
    const isThere = () => far === 20;
    expect(await whileItMoves({ ...moving, isThere, far: () => ++far, patientForMs: 50 })).toBe(true);
  });

  test('is waited for as long as what came is worked on', async () => {
    let looked = 0;
    const isThere = () => ++looked === 20;
    expect(await whileItMoves({ ...moving, isThere, isAtWork: () => true, patientForMs: 50 })).toBe(true);
  });

  test('is given up where it stands still', async () => {
    expect(await whileItMoves({ ...moving, patientForMs: 1 })).toBe(false);
  });

  test('fails with what it depends on, though it is there', async () => {
    const failed = Promise.reject(new Error('lost'));
    await failed.catch(() => undefined);
    let looked = 0;
    const isThere = () => ++looked > 1;
    await expect(whileItMoves({ ...moving, isThere, failed })).rejects.toThrow('lost');
  });
});
