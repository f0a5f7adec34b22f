/** Needs no helm: the settings that the chart and the compose file name are those that the code reads. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { allSettings } from '#libs/runtime/settings.ts';
import { imageCommands } from '../image/image-config.ts';

const deploy = join(import.meta.dirname, '..');
const chart = join(import.meta.dirname, 'lending');
const schemaFile = join(chart, 'values.schema.json');

/** Set by the chart itself. The image sets `HOST`, which pods with IPv6 alone replace. */
const ownSettings = ['PORT', 'CONSOLE_PORT', 'METRICS_PORT', 'DRAIN_MS'];
const variables = allSettings.map(({ variable }) => variable);
const secrets = variablesOf('secret');
const files = variablesOf('file');

function variablesOf(source: 'secret' | 'file'): string[] {
  return allSettings.filter((setting) => setting.source === source).map(({ variable }) => variable);
}

interface ComposeService {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
}

describe('the schema of the values', () => {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as { $defs: Record<string, { enum?: string[] }> };
  const plain = variables.filter((name) => ![...secrets, ...files, ...ownSettings].includes(name));
  const expected = { plainSetting: plain, secretSetting: secrets, fileSetting: files };
  if (process.env['UPDATE_DOCS'] === 'true') {
    for (const [name, names] of Object.entries(expected)) schema.$defs[name] = { enum: names };
    writeFileSync(schemaFile, `${JSON.stringify(schema, null, 2)}\n`);
  }

  test.each(Object.entries(expected))('lists exactly the settings of the code as %s', (name, names) => {
    expect(schema.$defs[name]?.enum).toEqual(names);
  });
});

test('the templates name no setting that the code does not read', () => {
  const templates = readdirSync(join(chart, 'templates')).map((name) =>
    readFileSync(join(chart, 'templates', name), 'utf8'),
  );
  const named = [...templates.join('\n').matchAll(/"([A-Z]+(?:_[A-Z]+)*)"/g)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(['CONSOLE_PORT', 'DRAIN_MS', 'METRICS_PORT', 'PORT']);
  for (const name of named) expect(variables).toContain(name);
});

test.each([
  join(chart, 'values.yaml'),
  ...readdirSync(join(import.meta.dirname, 'values')).map((name) => join(import.meta.dirname, 'values', name)),
])('%s follows the schema of the values', (file) => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
  validate(parse(readFileSync(file, 'utf8')));
  expect(validate.errors).toBeNull();
});

describe('the compose file of the services', () => {
  const { services } = parse(readFileSync(join(deploy, 'compose.services.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  const own = Object.entries(services).filter(([, service]) => service.command !== undefined);

  test('names settings of the code, and runs commands of the image on a read-only file system', () => {
    expect(own.map(([name]) => name).sort()).toEqual(['console', 'gateway', 'prepare', 'processor']);
    for (const [name, { command, environment, read_only }] of own) {
      const expected =
        name === 'prepare' ? [...imageCommands.lending, 'prepare', '--yes'] : imageCommands[name as 'gateway'];
      expect(command).toEqual(expected);
      expect(read_only).toBe(true);
      for (const variable of Object.keys(environment ?? {})) expect(variables).toContain(variable);
    }
  });
});
