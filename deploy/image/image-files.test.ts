import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { guideGroups, sdks } from '#libs/site/navigation.ts';
import { imageCommands, imageEntrypoint, imageEnvironment, imageFolder, imageUser } from './image-config.ts';
import { sourceFiles } from './image-files.ts';

describe('the sources of the image', () => {
  const files = sourceFiles();

  test('contain what every command starts', () => {
    for (const args of Object.values(imageCommands)) expect(files).toContain(args.at(-1));
  });

  test('contain the guides and the READMEs of the SDKs, which the documentation shows', () => {
    const guides = guideGroups.flatMap((group) => group.pages.map(([file]) => `docs/guide/${file}.md`));
    const readmes = sdks.map(({ folder }) => `libs/${folder}/README.md`);
    expect(files).toEqual(expect.arrayContaining([...guides, ...readmes]));
  });

  test('contain migrations and schemas, and no test', () => {
    expect(files.filter((file) => file.endsWith('.sql')).length).toBeGreaterThan(1);
    expect(files.filter((file) => file.endsWith('.avsc')).length).toBeGreaterThan(1);
    expect(files.filter((file) => /\.test\.ts$|\/testing\//.test(file))).toEqual([]);
  });
});

test('the Dockerfile makes the same image as npm run image, and its user is not root', () => {
  const text = readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8');
  const instruction = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? '';
  expect(instruction('USER')).toBe(imageUser);
  expect(imageUser).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual(imageEntrypoint);
  expect(JSON.parse(instruction('CMD'))).toEqual(imageCommands.gateway);
  const environment = Object.entries(imageEnvironment).map(([name, value]) => `${name}=${value}`);
  expect(instruction('ENV')).toBe(environment.join(' '));
  expect(text).toContain(`\nWORKDIR ${imageFolder}\n`);
});
