/** Every code block of the documents for callers is run by a test, or compared with what it shows. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { sampleLanguages } from '#libs/site/samples/languages.ts';
import { samplesOf } from '#libs/site/samples/operation-samples.ts';
import {
  blockRows,
  codeBlock,
  codeBlocks,
  operatorCommands,
  type Proof,
  programsElsewhere,
  rowsOf,
} from './code-blocks.ts';

const blocks = codeBlocks();
const sampleRunners = join(import.meta.dirname, 'sample-runners.ts');

test('every code block has one row in the table of code-blocks.ts, and every row its blocks', () => {
  const named = ({ file, code }: (typeof blocks)[number]) => `${file}: ${code.split('\n')[0]}`;
  expect(blocks.filter((block) => rowsOf(block).length !== 1).map(named)).toEqual([]);
  const unused = blockRows.flatMap(({ file, beginnings }) =>
    beginnings
      .filter((text) => !blocks.some((block) => block.file === file && block.code.startsWith(text)))
      .map((text) => `${file}: ${text}`),
  );
  expect(unused).toEqual([]);
});

test('each row names a test that has the beginnings of its blocks', () => {
  // The walk fails where it has not run one of its blocks.
  const named = blockRows.filter(({ by }) => by !== 'test/faults/start.test.ts');
  const missing = named.flatMap(({ by, beginnings }) => {
    const text = readFileSync(join(projectDir, by), 'utf8') + readFileSync(sampleRunners, 'utf8');
    return beginnings.filter((beginning) => !text.includes(beginning.trim())).map((beginning) => `${by}: ${beginning}`);
  });
  expect(missing).toEqual([]);
});

test('every block is run, or compared with what it shows, and all samples of the reference are run', () => {
  const samples = (Object.keys(routes) as RouteName[]).flatMap((name) => samplesOf(name)).length;
  const counts = [...new Set(blocks.map(({ file }) => file))].map((file) => {
    const proofs = blocks.filter((block) => block.file === file).map((block) => rowsOf(block)[0]?.proof);
    const count = (proof: Proof) => proofs.filter((each) => each === proof).length;
    return { file, run: count('run'), compared: count('compared') };
  });
  const sum = (proof: Proof) => counts.reduce((all, each) => all + each[proof], 0);
  const rows = [
    ...counts,
    { file: `reference, ${sampleLanguages.length} languages`, run: samples, compared: 0 },
    { file: 'all', run: sum('run') + samples, compared: sum('compared') },
  ];
  console.log(rows.map(({ file, run, compared }) => `${file.padEnd(32)} ${run} run, ${compared} compared`).join('\n'));
  expect(sum('run') + sum('compared')).toBe(blocks.length);
  expect(samples).toBeGreaterThan(300);
});

test('the documents for operators have commands of the guide, which are run, and others that need another machine', () => {
  const guide = blocks.filter(({ file }) => file === 'docs/guide/command-line.md').map(({ code }) => code);
  const isRun = (name: string) =>
    guide.some((code) => `\n${code}`.includes(`\nlending ${name} `) || code === `lending ${name}\n`);
  const commands = operatorCommands();
  const ofLending = commands.filter(({ lending }) => lending !== undefined);
  const unknown = ofLending.filter(({ lending = '' }) => ![lending, lending.split(' ')[0] ?? ''].some(isRun));
  expect(unknown).toEqual([]);
  const others = commands.filter(({ lending }) => lending === undefined);
  const programOf = (line: string) => Object.keys(programsElsewhere).find((name) => `${line} `.startsWith(`${name} `));
  expect(others.filter(({ line }) => programOf(line) === undefined)).toEqual([]);
  const rows = Object.entries(programsElsewhere).map(([name, needs]) => {
    const count = others.filter(({ line }) => programOf(line) === name).length;
    expect({ name, isUsed: count > 0 }).toEqual({ name, isUsed: true });
    return `${String(count).padStart(4)} ${name}: ${needs}`;
  });
  console.log(
    [`operators: ${ofLending.length} commands of lending, which the guide has; needs another machine:`, ...rows].join(
      '\n',
    ),
  );
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
