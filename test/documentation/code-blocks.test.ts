/** The values of the guide to signing, and the commands in the documents for operators. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { blockOf, codeBlock, codeBlocks, operatorCommands, programsElsewhere } from './code-blocks.ts';
import { recordBlocks } from './executed-code.ts';

const blocks = codeBlocks();

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
  const compared = ['c455cc', 'POST\n', '4cMzh', 'Authorization: '];
  recordBlocks('compared', ...compared.map((beginning) => blockOf('docs/guide/signing.md', beginning)));
});
