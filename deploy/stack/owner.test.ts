/** Who owns a folder where many ask at once: processes of their own, for one process has its turns one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Claim } from './owner.ts';

const rounds = 200;
const claimers = 3;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-owner-'));
});
afterEach(() => rmSync(root, { recursive: true }));

// Each round at an agreed moment, in a folder of its own. Nobody ends before it is told to: an owner lives.
const source = `
import { claim } from '${import.meta.dirname}/owner.ts';

const [root, begin] = [process.argv[2], Number(process.argv[3])];
const claims = [];
for (let round = 0; round < ${rounds}; round++) {
  while (Date.now() < begin + 3 * round);
  claims.push(claim(root + '/' + round));
}
console.log(JSON.stringify(claims));
process.stdin.resume();
`;

async function toldBy(claimer: Readable): Promise<Claim[]> {
  for await (const line of createInterface(claimer)) return JSON.parse(line) as Claim[];
  throw new Error('a claimer ended before it was told');
}

/** What each round's claimers were told. */
async function claimAtOnce(): Promise<Claim[][]> {
  writeFileSync(join(root, 'claimer.ts'), source);
  const begin = String(Date.now() + 1_000);
  const children = Array.from({ length: claimers }, () =>
    spawn(process.execPath, [join(root, 'claimer.ts'), root, begin], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const ended = Promise.all(children.map((child) => once(child, 'close')));
  const claims = await Promise.all(children.map(({ stdout }) => toldBy(stdout))).finally(() => {
    for (const { stdin } of children) stdin.end();
  });
  await ended;
  return Array.from({ length: rounds }, (_, round) => claims.flatMap((each) => each.slice(round, round + 1)));
}

function foldersWithoutOneOwner(claims: readonly Claim[][]): Claim[][] {
  return claims.filter((each) => each.filter((claim) => claim === 'ours' || claim === 'left behind').length !== 1);
}

test('a folder that many claim at once is one claimer’s', async () => {
  const claims = await claimAtOnce();
  expect(foldersWithoutOneOwner(claims)).toEqual([]);
  expect(claims.flat()).not.toContain('left behind');
}, 30_000);

test.each([
  ['whose owner and its watchdog died', '{"pid":0,"born":"","watchdog":{"pid":0,"born":""}}'],
  ['whose owner cannot be read', ''],
])(
  'a folder %s is taken over by one of those who find it so',
  async (_what, owner) => {
    for (let round = 0; round < rounds; round++) {
      mkdirSync(join(root, String(round)));
      writeFileSync(join(root, String(round), 'owner.json'), owner);
    }
    const claims = await claimAtOnce();
    expect(foldersWithoutOneOwner(claims)).toEqual([]);
    expect(claims.flat()).not.toContain('ours');
    expect(readdirSync(join(root, '0'))).toEqual(['owner.json']);
  },
  30_000,
);

test('a folder is taken over though whoever was about to died on the way', async () => {
  const dir = join(root, 'stack');
  mkdirSync(dir);
  writeFileSync(join(dir, 'owner.json'), '{"pid":0,"born":"then"}');
  // As it would have left them: its right to succeed, and the right of who was to succeed it.
  writeFileSync(join(dir, 'owner.json.after-0-then'), '{"pid":0,"born":"later"}');
  writeFileSync(join(dir, 'owner.json.after-0-later'), '{"pid":0,"born":"last"}');
  const { claim, ownerOf } = await import('./owner.ts');
  expect(claim(dir)).toBe('left behind');
  expect(ownerOf(dir)?.pid).toBe(process.pid);
  expect(readdirSync(dir)).toEqual(['owner.json']);
});
