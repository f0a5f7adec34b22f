/** Packs the folders of the layers as an OCI image, with umoci and without a daemon. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { imageCommands, imageEntrypoint, imageEnvironment, imageFolder, imageUser } from './image-config.ts';
import { layerNames } from './root-folders.ts';

const run = promisify(execFile);

export interface PackedImage {
  readonly archive: string;
  /** As it is pulled. */
  readonly compressedBytes: number;
}

interface PackOptions {
  readonly umoci: string;
  /** Holds a folder for each layer. */
  readonly root: string;
  /** Replaced where it exists. */
  readonly layout: string;
  readonly tag: string;
  /** Empty where it is not known. */
  readonly commit: string;
}

export async function packImage({ umoci, root, layout, tag, commit }: PackOptions): Promise<PackedImage> {
  rmSync(layout, { recursive: true, force: true });
  mkdirSync(dirname(layout), { recursive: true });
  const image = `${layout}:${tag}`;
  await run(umoci, ['init', '--layout', layout]);
  await run(umoci, ['new', '--image', image]);
  const history = ['--history.created', new Date(0).toISOString()];
  // Rootless: the files belong to root whichever user builds the image.
  for (const layer of layerNames) {
    await run(umoci, ['insert', '--rootless', '--image', image, ...history, join(root, layer), '/']);
  }
  await run(umoci, ['config', '--image', image, ...history, ...configOptions(commit)]);
  await run(umoci, ['gc', '--layout', layout]);
  const archive = `${layout}.tar`;
  await run('tar', ['--create', '--file', archive, '--directory', layout, ...readdirSync(layout).sort()]);
  return { archive, compressedBytes: statSync(archive).size };
}

function configOptions(commit: string): string[] {
  return [
    ['user', imageUser],
    ['workingdir', imageFolder],
    ...imageEntrypoint.map((argument) => ['entrypoint', argument]),
    ...imageCommands.gateway.map((argument) => ['cmd', argument]),
    ...Object.entries(imageEnvironment).map(([name, value]) => ['env', `${name}=${value}`]),
    ...(commit === '' ? [] : [['label', `org.opencontainers.image.revision=${commit}`]]),
    ...[imageEnvironment.PORT, imageEnvironment.METRICS_PORT].map((port) => ['exposedports', `${port}/tcp`]),
  ].flatMap(([name = '', value = '']) => [`--config.${name}`, value]);
}
