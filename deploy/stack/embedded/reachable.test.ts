import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { abroad, removeAbroad } from './reachable.ts';

let root: string;
let below: string;
const stack = (name: string): string => join(root, name, 'stack');
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-reachable-'));
  below = join(root, 'tmp');
  mkdirSync(below);
});
afterEach(() => rmSync(root, { recursive: true }));

function started(name: string): string {
  const home = abroad(stack(name), below);
  writeFileSync(join(home, 'PG_VERSION'), name);
  return home;
}

function daysLater(home: string): void {
  const then = new Date(Date.now() - 2 * 24 * 60 * 60_000);
  utimesSync(join(home, 'belongs-to'), then, then);
}

describe('data beside the folder of a stack', () => {
  test('are those of the last start', () => {
    expect(started('one')).toBe(started('one'));
  });

  test('stay its own where the folder is moved, however long it was not started', () => {
    const home = started('before');
    daysLater(home);
    renameSync(join(root, 'before'), join(root, 'after'));
    expect(abroad(stack('after'), below)).toBe(home);
    expect(existsSync(join(home, 'PG_VERSION'))).toBe(true);
    started('another');
    expect(existsSync(join(home, 'PG_VERSION'))).toBe(true);
  });

  test('are not shared with a copy of the folder', () => {
    const home = started('one');
    cpSync(join(root, 'one'), join(root, 'copy'), { recursive: true });
    expect(started('copy')).not.toBe(home);
    expect(started('one')).toBe(home);
  });

  test('go a day after the folder has gone, at the start of another, and not before', () => {
    const home = started('one');
    rmSync(join(root, 'one'), { recursive: true });
    started('another');
    expect(existsSync(home)).toBe(true);
    daysLater(home);
    started('another');
    expect(existsSync(home)).toBe(false);
  });

  test('go at once where the stack is taken away, and those of another start do not', () => {
    const home = started('one');
    const others = started('other');
    cpSync(join(root, 'other'), join(root, 'copy'), { recursive: true });
    removeAbroad(stack('one'));
    removeAbroad(stack('copy'));
    removeAbroad(stack('never started'));
    expect(existsSync(home)).toBe(false);
    expect(existsSync(others)).toBe(true);
  });

  test('begin anew where they were removed', () => {
    rmSync(started('one'), { recursive: true });
    expect(existsSync(started('one'))).toBe(true);
  });
});
