/** What the tests of a run have executed of the documents: each test records it once the code has ended as shown. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { samplesOf } from '#libs/site/samples/operation-samples.ts';
import { announceSkip } from '#test/support/skip.ts';
import { blockOf, type CodeBlock, codeBlocks } from './code-blocks.ts';

/**
 * Run as a reader would; run, and one of its lines refused as the document states; or compared with what the service, the command
 * line or the signing code gives.
 */
type Proof = 'run' | 'refused as stated' | 'compared';

export type ExecutionRecord =
  | { readonly proof: Proof; readonly file: string; readonly language: string; readonly digest: string }
  | {
      readonly skipped: string;
      readonly reason: string;
      readonly languages: readonly string[];
      readonly blocks: readonly string[];
    };

/** Code that is not executed without a toolchain: in its languages, and blocks such as the line that installs the SDK. */
interface SkippedCode {
  readonly languages?: readonly string[];
  readonly blocks?: readonly CodeBlock[];
}

/** `npm run test:all` names it. Without it nothing is recorded: a single file executes only a part of the documents. */
export const recordsVariable = 'LENDING_EXECUTED_CODE';

/** The blocks of a document that begin with these texts have been executed. */
export function recordRun(file: string, ...beginnings: readonly string[]): void {
  recordBlocks('run', ...beginnings.map((beginning) => blockOf(file, beginning)));
}

export function recordBlocks(proof: Proof, ...blocks: readonly CodeBlock[]): void {
  for (const { file, info, code } of blocks) record({ proof, file, language: info, digest: digestOf(code) });
}

/** The sample of an operation in the reference has been executed. */
export function recordSample(operation: RouteName, languageId: string): void {
  const sample = samplesOf(operation).find(({ language }) => language.id === languageId);
  if (sample === undefined) throw new Error(`the reference has no sample of ${operation} in ${languageId}`);
  record({ proof: 'run', file: fileOf(operation), language: languageId, digest: digestOf(sample.code) });
}

/** Without its toolchain a language is skipped; where CI is set, it fails. Other code has to be executed all the same. */
export function skipWithout(what: string, reason: string, { languages = [], blocks = [] }: SkippedCode): void {
  announceSkip(what, reason);
  record({ skipped: what, reason, languages, blocks: blocks.map(({ code }) => digestOf(code)) });
}

function record(entry: ExecutionRecord): void {
  const file = process.env[recordsVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

export function readRecords(file: string): readonly ExecutionRecord[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ExecutionRecord);
}

interface DocumentedCode {
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

/** Every block of the documents, and every sample of the reference. A block `sample` shows one of the latter. */
export function documentedCode(): readonly DocumentedCode[] {
  const blocks = codeBlocks().filter(({ info }) => info !== 'sample');
  const samples = (Object.keys(routes) as RouteName[]).flatMap((operation) =>
    samplesOf(operation).map(({ language, code }) => ({ file: fileOf(operation), language: language.id, code })),
  );
  return [...blocks.map(({ file, info, code }) => ({ file, language: info, code })), ...samples];
}

const reference = 'reference: ';
const fileOf = (operation: RouteName): string => `${reference}${operation}`;

export interface Comparison {
  readonly text: string;
  readonly isComplete: boolean;
}

/** Which code of the documents was executed. What was not is a failure, unless its toolchain is missing and CI is not set. */
export function compareExecuted(
  documented: readonly DocumentedCode[],
  records: readonly ExecutionRecord[],
  isCi = process.env['CI'] !== undefined,
): Comparison {
  const proofs = new Map<string, Proof>();
  const reasons = new Set<string>();
  const skippedLanguages = new Set<string>();
  const skippedBlocks = new Set<string>();
  for (const entry of records) {
    if ('skipped' in entry) {
      reasons.add(`${entry.skipped}: ${entry.reason}`);
      for (const language of entry.languages) skippedLanguages.add(language);
      for (const digest of entry.blocks) skippedBlocks.add(digest);
    } else if (proofs.get(keyOf(entry)) !== 'run') proofs.set(keyOf(entry), entry.proof);
  }
  const codes = documented.map((each) => ({
    ...each,
    proof: proofs.get(keyOf({ ...each, digest: digestOf(each.code) })),
  }));
  const groupOf = ({ file, language }: DocumentedCode) =>
    file.startsWith(reference) ? `${reference}${language}` : file;
  const groups = Map.groupBy(codes, groupOf);
  const row = (name: string, members: typeof codes) => {
    const count = (proof?: Proof) => members.filter((each) => each.proof === proof).length;
    const done = (['run', 'refused as stated', 'compared'] as const).map((proof) => `${count(proof)} ${proof}`);
    return `${name.padEnd(32)} ${done.join(', ')}, ${count()} not executed`;
  };
  const missing = codes.filter(({ proof }) => proof === undefined);
  // A fence names the language, and after it the tab of its sample.
  const isExcused = ({ language, code }: DocumentedCode) =>
    !isCi && (skippedLanguages.has(language.split(' ')[0] ?? '') || skippedBlocks.has(digestOf(code)));
  const lines = [
    ...[...groups].map(([name, members]) => row(name, members)),
    row('all', codes),
    ...missing.map(({ file, language, code }) => `not executed: ${file}, ${language}: ${code.split('\n')[0]}`),
    ...[...reasons].map((reason) => `skipped: ${reason}`),
  ];
  return { text: lines.join('\n'), isComplete: missing.every(isExcused) };
}

function keyOf({ file, language, digest }: { file: string; language: string; digest: string }): string {
  return JSON.stringify([file, language, digest]);
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
