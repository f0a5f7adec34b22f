/** The guides, walked in a copy of the repository in which `npm start` runs, by readers of each language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { sampleLanguages } from '#libs/site/samples/languages.ts';
import { blockOf, type CodeBlock } from '#test/documentation/code-blocks.ts';
import { runCommandLineGuide } from '#test/documentation/command-line-guide.ts';
import { skipWithout } from '#test/documentation/executed-code.ts';
import type { Reader } from '#test/documentation/reader.ts';
import { RepositoryCopy } from '#test/documentation/repository-copy.ts';
import {
  compareHelp,
  walkJava,
  walkOtherGuides,
  walkPython,
  walkQuickStart,
  walkReadme,
} from '#test/documentation/walk.ts';
import { missingForEmbeddedStack } from '#test/support/embedded-stack.ts';
import { missingForJavaSdk } from '#test/support/java-sdk.ts';
import { pythonWithSdk } from '#test/support/python-sdk.ts';

/** Packages are built and installed, on a busy machine beside other tests. */
const walkTimeoutMs = 1_200_000;

const missing = await missingForEmbeddedStack();
if (missing !== undefined)
  skipWithout('the guides beside npm start', missing, {
    languages: ['sh', 'csv', 'json', 'text', ''],
    blocks: [blockOf('docs/guide/events.md', '"""ledger.py')],
  });

(missing === undefined ? describe : describe.skip)('npm start', () => {
  let copy: RepositoryCopy;
  let reader: Reader;

  beforeAll(async () => {
    copy = new RepositoryCopy();
    reader = await copy.startService();
    expect(reader.block('docs/guide/quick-start.md', 'npm start')).toBe('npm start\n');
    reader.recordRun();
    // Later tests read its Client rosa and its receipts.csv.
    await walkReadme(reader);
  }, walkTimeoutMs);

  afterAll(() => copy.remove());

  test.each(sampleLanguages.map((language) => [language.label, language] as const))(
    'is what the quick start in %s needs, from the first request to a Loan that is paid off',
    async (label, language) => {
      const missing = await missingFor(label);
      if (missing !== undefined)
        return skipWithout(`the quick start in ${label}`, missing, {
          languages: [language.id],
          blocks: setupBlocks(language.id),
        });
      expect(await walkQuickStart(reader, language)).toMatch(/discharged\W{1,4}true/i);
    },
    walkTimeoutMs,
  );

  test(
    'is what the programs in Python and Java need, and a consumer of movements that has what a Loan owes',
    async () => {
      for (const [language, walk] of [
        ['Python', walkPython],
        ['Java', walkJava],
      ] as const) {
        const missing = await missingFor(language);
        const languageId = language.toLowerCase();
        if (missing === undefined) await walk(reader);
        else
          skipWithout(`the README of the SDK for ${language}`, missing, {
            languages: [languageId],
            blocks: setupBlocks(languageId),
          });
      }
    },
    walkTimeoutMs,
  );

  test(
    'is what every command of the guides needs, and help is shown in them as it is printed',
    async () => {
      await reader.lending.registerClient({ client_id: 'ada' }, { actor: 'ana', basis: 'application form' });
      await runCommandLineGuide(reader, 'running');
      await walkOtherGuides(reader);
      await compareHelp(reader);
    },
    walkTimeoutMs,
  );

  test(
    'leaves a cell in which the commands for stopped services can be run',
    async () => {
      await copy.interrupt();
      await copy.start('npm run -s stack', 'ready; addresses');
      const addresses = JSON.parse(
        readFileSync(join(copy.folder, '.data', 'stack.json'), 'utf8'),
      ) as BackingServiceAddresses;
      await runCommandLineGuide(reader, 'stopped', operatorEnvironment(addresses));
    },
    walkTimeoutMs,
  );
});

/** Why the machine cannot run a language of the documents. */
async function missingFor(language: string): Promise<string | undefined> {
  if (language === 'Java') return missingForJavaSdk();
  if (language !== 'Python') return undefined;
  const found = await pythonWithSdk();
  return 'missing' in found ? found.missing : undefined;
}

/** Which lines of other languages need the toolchain of this one. */
function setupBlocks(languageId: string): readonly CodeBlock[] {
  const found: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    python: [
      ['docs/guide/quick-start.md', 'mkdir -p ../first-loan && cd ../first-loan\npython3'],
      ['docs/guide/events.md', 'pip install'],
      ['docs/guide/events.md', 'python -c'],
      ['libs/sdk-python/README.md', 'python3 -m venv'],
    ],
    java: [
      ['docs/guide/quick-start.md', 'mvn '],
      ['libs/sdk-java/README.md', 'mvn '],
    ],
  };
  return (found[languageId] ?? []).map(([file, beginning]) => blockOf(file, beginning));
}
