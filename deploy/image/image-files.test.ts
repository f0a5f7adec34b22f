import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { guideGroups, sdks } from '#libs/site/navigation.ts';
import { imageCommands, imageEntrypoint, imageEnvironment, imageFolder, imageUser } from './image-config.ts';
import { developmentPackages, packageFiles, sourceFiles, startedEntries } from './image-files.ts';
import { copyFilesToApp } from './root-folders.ts';

describe('the packages of the image', () => {
  let files: readonly string[];
  beforeAll(async () => {
    files = await packageFiles();
  });

  test('are those of a production installation', () => {
    const development = developmentPackages();
    expect(development.length).toBeGreaterThan(100);
    const found = files.filter((file) => development.some((path) => file.startsWith(`${path}/`)));
    expect(found).toEqual([]);
  });

  test('are all that the services load', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lending-image-'));
    const sources = sourceFiles();
    copyFilesToApp([...files, ...sources], dir);
    // Entries start a process or a thread when they are imported, and no service uses the SDK.
    const entries = [...Object.values(imageCommands).map((args) => args.at(-1)), ...startedEntries];
    const modules = sources.filter(
      (file) => /^(?:libs(?!\/sdk\/)|services)\/.*\.ts$/.test(file) && !entries.includes(file),
    );
    expect(modules.length).toBeGreaterThan(300);
    const script = `for (const file of ${JSON.stringify(modules)}) await import(process.cwd() + '/' + file); process.exit();`;
    const cwd = join(dir, imageFolder);
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, stdio: 'pipe' });
    rmSync(dir, { recursive: true });
  });

  test('contain one build of libsodium', () => {
    const builds = files.filter((file) => /sodium-native\/prebuilds/.test(file));
    expect(builds).toEqual([
      `node_modules/sodium-native/prebuilds/${process.platform}-${process.arch}/sodium-native.node`,
    ]);
  });

  test('contain the drivers and neither npm nor a second Node', () => {
    for (const name of ['kafkajs', 'pg', 'ioredis', 'pino', 'express']) {
      expect(files).toContain(`node_modules/${name}/package.json`);
    }
    expect(files.filter((file) => /^node_modules\/(?:npm|node)\//.test(file))).toEqual([]);
  });
});

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
