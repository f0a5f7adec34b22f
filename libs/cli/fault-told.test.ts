import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { faultTold } from './fault-told.ts';

test('a file that is not there is told by its name, in words', async () => {
  const told = await readFile('nowhere.csv').catch(faultTold);
  expect(told).toBe('nowhere.csv: no such file or directory');
});

test('a folder that was given for a file is told without the name of a system call', async () => {
  const told = await readFile(tmpdir()).catch(faultTold);
  expect(told).toMatch(/illegal operation on a directory$/);
  expect(told).not.toContain('EISDIR');
});

test('any other fault is told as it says itself', () => {
  expect(faultTold(new Error('it holds no facts'))).toBe('it holds no facts');
  expect(faultTold('plain')).toBe('plain');
});
