import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageCommands, imageFolder } from '#deploy/image/image-config.ts';
import { developmentPackages, packageFiles, sourceFiles, startedEntries } from '#deploy/image/image-files.ts';
import { copyFilesToApp } from '#deploy/image/root-folders.ts';

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
    try {
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, stdio: 'pipe' });
    } finally {
      rmSync(dir, { recursive: true });
    }
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
