/** Brings what the embedded stack runs from Maven into the project's data folder, once, whoever asks first. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bornOf } from './born.ts';
import { javaLocale } from './embedded/java.ts';
import { enter, strike } from './processes.ts';

export type Say = (line: string) => void;

/** The executions of pom.xml. The folder's name carries the version, so that a newer one is fetched by itself. */
const artifacts = {
  kafka: { goal: 'dependency:copy-dependencies@kafka', folder: 'kafka-4.3.1', title: 'Kafka 4.3.1' },
  registry: { goal: 'dependency:unpack@registry', folder: 'registry-2.6.13', title: 'Apicurio Registry 2.6.13' },
  redis: { goal: 'dependency:unpack@redis', folder: 'redis-6.2', title: 'Redis 6.2' },
} as const;

export const projectDir = join(import.meta.dirname, '..', '..');
const libDir = join(projectDir, '.data', 'lib');

// Maven 3 does not guard its local repository against two of itself at once.
let last: Promise<unknown> = Promise.resolve();

type Artifact = keyof typeof artifacts;

/** While it is fetched Maven stands in the table of processes of `dir`: whoever stops what runs there stops it too. */
export function installed(name: Artifact, dir: string, say: Say, lib = libDir): Promise<string> {
  const mine = last.then(() => install(name, dir, say, lib));
  last = mine.catch(() => undefined);
  return mine;
}

async function install(name: Artifact, dir: string, say: Say, lib: string): Promise<string> {
  const { goal, folder, title } = artifacts[name];
  const target = join(lib, folder);
  mkdirSync(lib, { recursive: true });
  sweep(lib);
  if (existsSync(target)) return target;
  say(`${title}: installing from Maven`);
  // Renamed into place when whole: an install that is broken off, or two at once, leaves nothing half.
  const part = `${target}.${process.pid}.part`;
  try {
    await maven(dir, [goal, `-Dinto=${part}`], title, say);
    if (!existsSync(target)) renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return target;
}

/** What one was laying out who died before it was whole. */
function sweep(lib: string): void {
  for (const name of readdirSync(lib)) {
    const pid = /\.(\d+)\.part$/.exec(name)?.[1];
    if (pid !== undefined && bornOf(Number(pid)) === undefined)
      rmSync(join(lib, name), { recursive: true, force: true });
  }
}

function maven(dir: string, goal: readonly string[], title: string, say: Say): Promise<void> {
  // -C: what arrives otherwise than its repository says it was sent is not taken.
  const args = ['-B', '-C', '-f', join(import.meta.dirname, 'pom.xml'), ...goal];
  const child = spawn('mvn', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...javaLocale } });
  if (child.pid !== undefined) enter(dir, { name: 'maven', command: 'mvn', args, tier: 0 }, child.pid);
  let tail = '';
  let downloads = 0;
  let saidAt = Date.now();
  const read = (chunk: Buffer): void => {
    const text = chunk.toString('utf8');
    tail = (tail + text).slice(-4_000);
    downloads += text.split('Downloaded from').length - 1;
    if (Date.now() - saidAt > 2_000 && downloads > 0) {
      saidAt = Date.now();
      say(`${title}: ${downloads} files so far`);
    }
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve, reject) => {
    child.once('error', () =>
      reject(
        new Error(
          'The embedded stack needs Maven and Java 17 (mvn, java on the PATH), or a Docker engine, or the addresses of running services: see deploy/README.md',
        ),
      ),
    );
    child.once('close', (code) => {
      strike(dir, 'maven');
      if (code === 0) resolve();
      else reject(new Error(`mvn ${goal.join(' ')} failed:\n${tail}`));
    });
  });
}
