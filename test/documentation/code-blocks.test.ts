/** Every code block of the documents for callers is run, compiled or read by a test, or the table says why not. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { contract } from '#libs/api/contract-versions.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { runCommandLine } from '#libs/cli/command-line.ts';
import { readProfiles } from '#libs/cli/profiles.ts';
import { samplesOf } from '#libs/site/samples/operation-samples.ts';
import { blockRows, codeBlock, codeBlocks, type Proof, rowsOf } from './code-blocks.ts';

const blocks = codeBlocks();

test('every code block has one row in the table of code-blocks.ts, and every row its blocks', () => {
  const named = ({ file, code }: (typeof blocks)[number]) => `${file}: ${code.split('\n')[0]}`;
  expect(blocks.filter((block) => rowsOf(block).length !== 1).map(named)).toEqual([]);
  const unused = blockRows.flatMap(({ file, beginnings }) =>
    beginnings
      .filter((text) => !blocks.some((block) => block.file === file && block.code.startsWith(text)))
      .map((text) => `${file}: ${text}`),
  );
  expect(unused).toEqual([]);
  const proofs = blockRows.filter(({ proof }) => proof !== 'shown');
  expect(proofs.filter(({ by }) => !existsSync(join(projectDir, by)))).toEqual([]);
});

test('few code blocks are only shown, and all samples of the reference are run', () => {
  const count: Record<Proof, number> = { run: 0, typed: 0, parsed: 0, shown: 0 };
  for (const block of blocks) count[rowsOf(block)[0]?.proof ?? 'shown'] += 1;
  const samples = (Object.keys(routes) as RouteName[]).flatMap((name) => samplesOf(name)).length;
  console.log(
    `${blocks.length} code blocks: ${count.run} run, ${count.typed} compiled, ${count.parsed} parsed, ${count.shown} only shown; and ${samples} samples of the reference, all run`,
  );
  expect(count.shown).toBeLessThan(blocks.length / 5);
  expect(samples).toBeGreaterThan(300);
});

test('the values of the guide to signing are those of its test vector', () => {
  const ofGuide = (beginning: string): string => codeBlock('docs/guide/signing.md', beginning).trim();
  const [head = '', body = ''] = ofGuide('POST /v1').split('\n\n');
  const [method = '', target = ''] = head.split(' ');
  const digest = createHash('sha256').update(body).digest('hex');
  expect(ofGuide('c455cc')).toBe(digest);
  expect(ofGuide('POST\n')).toBe([method, target, '1793232002', digest].join('\n'));
  const signer = parseSigner(ofGuide('lsk_test_')) as Signer;
  const header = authorizationHeader(signer, { method, target, body: Buffer.from(body), nowMs: 1_793_232_002_000 });
  expect(ofGuide('Authorization: ')).toBe(`Authorization: ${header}`);
  expect(header).toContain(`sig=${ofGuide('4cMzh')}`);
});

test('the header of the guide to versions has the newest version', () => {
  const newest = contract.versions.at(-1)?.version;
  expect(codeBlock('docs/guide/versions.md', 'Contract-Version: ')).toBe(`Contract-Version: ${newest}\n`);
});

test.each([
  ['receipts', 'lending receipts post'],
  ['console', 'lending console invite'],
])('the command in the guide to %s is known', async (guide, beginning) => {
  const words = codeBlock(`docs/guide/${guide}.md`, beginning).trim().split(' ').slice(1);
  let isKnown = false;
  const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await runCommandLine(words, async () => {
    isKnown = true;
    throw new Error('only the command is looked at');
  });
  err.mockRestore();
  process.exitCode = undefined;
  expect(isKnown).toBe(true);
});

test('the profiles of the guide to the command line can be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lending-profiles-'));
  const file = join(folder, 'config.json');
  writeFileSync(file, codeBlock('docs/guide/command-line.md', '{\n'));
  expect(readProfiles({ LENDING_CONFIG: file })).toMatchObject({ use: 'acme', profiles: { acme: { actor: 'maria' } } });
  rmSync(folder, { recursive: true });
});
