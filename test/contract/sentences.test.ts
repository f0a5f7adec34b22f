/** Which test holds each sentence of the contract. `UPDATE_DOCS=true npm run jest -- test/contract` writes the table. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Sentence {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
  /** Null where no test shows it; `note` says why. */
  readonly test: { readonly file: string; readonly title: string } | null;
  readonly note?: string;
}

const root = new URL('../../', import.meta.url);
const sentences = JSON.parse(readFileSync(new URL('sentences.json', import.meta.url), 'utf8')) as readonly Sentence[];
const document = new URL('docs/contract-coverage.md', root);

test('every sentence names a test that exists, or says why there is none', () => {
  const wrong = sentences.flatMap(({ id, test: shown, note }) => {
    if (shown === null) return note === undefined ? [`${id}: no test and no note`] : [];
    const { file, title } = shown;
    if (!existsSync(new URL(file, root))) return [`${id}: there is no file ${file}`];
    const text = readFileSync(new URL(file, root), 'utf8');
    const missing = title.split(' > ').filter((part) => !hasTitle(text, part));
    return missing.map((part) => `${id}: ${file} has no ${JSON.stringify(part)}`);
  });
  expect(wrong).toEqual([]);
});

/** Quotes in a title are escaped in the source. */
function hasTitle(text: string, part: string): boolean {
  return text.includes(part) || text.replaceAll('\\', '').includes(part.replaceAll('\\', ''));
}

test('docs/contract-coverage.md shows the sentences with their tests', () => {
  const text = coverageText();
  if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(document, text);
  expect(readFileSync(document, 'utf8')).toBe(text);
});

function coverageText(): string {
  const shown = sentences.filter(({ test: held }) => held !== null).length;
  const sections = Map.groupBy(sentences, ({ section }) => section);
  const head = `# Which test holds which sentence of the contract

Generated from \`test/contract/sentences.json\` by \`UPDATE_DOCS=true npm run jest -- test/contract\`. ${sentences.length} sentences, ${shown} of them held
by a test. Where there is none, the table says why: it cannot be seen, or a decision differs.
`;
  const tables = [...sections].map(([section, rows]) => {
    const lines = rows.map((row) => `| ${row.id} | ${cell(row.sentence)} | ${cell(holder(row))} |`);
    return `\n## ${section}\n\n| Id | Sentence | Test |\n| - | - | - |\n${lines.join('\n')}\n`;
  });
  return head + tables.join('');
}

function holder({ test: held, note = '' }: Sentence): string {
  return held === null ? `**None**: ${note}` : `\`${held.file}\`: ${held.title}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
