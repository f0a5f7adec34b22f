/** docs/operations/settings.md lists the settings of the code; run with UPDATE_DOCS=true to write it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { DescribedSetting } from './config.ts';
import { allSettings, callerSettingGroup, settingGroups } from './settings.ts';

const path = join(import.meta.dirname, '../../docs/operations/settings.md');

function reference(): string {
  const groups = [...settingGroups, callerSettingGroup].map(({ readBy, settings }) =>
    [`## ${readBy}`, '', '| Variable | Meaning | Value | Default |', '| - | - | - | - |', ...settings.map(row)].join(
      '\n',
    ),
  );
  return `${[head, ...groups].join('\n\n')}\n`;
}

const head = `# Settings

All settings are environment variables; an empty one counts as not set. A service with an invalid configuration lists all errors and
exits.

A *secret* may be in a file instead: its path is in the variable with \`_FILE\` at the end (\`DATABASE_URL_FILE\`). The value of a setting
marked *file* is a path. Both kinds of files are read again within a second after they have changed, and new connections use the new text
([how to replace secrets](secrets.md)).

Generated from \`libs/runtime/settings.ts\` by \`UPDATE_DOCS=true npm run jest -- libs/runtime/settings-reference\`.`;

function row(setting: DescribedSetting<unknown>): string {
  const { variable, meaning, expected, source } = setting;
  const kind = source === undefined ? '' : `*${source}*: `;
  return `| \`${variable}\` | ${meaning} | ${kind}${expected} | ${defaultOf(setting)} |`.replaceAll(/\|(?=\|)/g, '| ');
}

function defaultOf(setting: DescribedSetting<unknown>): string {
  if (setting.defaultMeaning !== undefined) return setting.defaultMeaning;
  if (!('fallback' in setting)) return '**required**';
  return setting.fallback === undefined ? 'none' : `\`${setting.fallback}\``;
}

test('docs/operations/settings.md lists every setting', () => {
  if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(path, reference());
  expect(readFileSync(path, 'utf8')).toBe(reference());
});

test('every setting is in one group and has a meaning that is a sentence', () => {
  const variables = allSettings.map(({ variable }) => variable);
  expect(new Set(variables).size).toBe(variables.length);
  for (const { meaning } of allSettings) expect(meaning).toMatch(/^[A-Z`].*\.$/);
});
