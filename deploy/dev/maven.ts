/** Downloads Kafka, the schema registry and Redis with Maven into `.data/lib`, once per version. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LogLine, projectDir } from './dev-files.ts';
import { processStartTime } from './process-control.ts';

/** The executions of pom.xml. The folder name holds the version, so that a new version is downloaded. */
const artifacts = {
  kafka: { goal: 'dependency:copy-dependencies@kafka', folder: 'kafka-4.3.1', title: 'Kafka 4.3.1' },
  registry: { goal: 'dependency:unpack@registry', folder: 'registry-2.6.13', title: 'Apicurio Registry 2.6.13' },
  redis: { goal: 'dependency:unpack@redis', folder: 'redis-6.2', title: 'Redis 6.2' },
} as const;

type Artifact = keyof typeof artifacts;

/** Without a locale, as in a container, Java cannot open a path that holds letters beyond ASCII. */
export const javaLocale = { LC_ALL: 'C.UTF-8' } as const;

const libDir = join(projectDir, '.data', 'lib');
const progressIntervalMs = 2_000;

// Maven 3 does not protect its local repository against two runs at once.
let previous: Promise<unknown> = Promise.resolve();

/** The folder of the artifact, downloaded where it is missing. */
export function installArtifact(name: Artifact, log: LogLine, lib = libDir): Promise<string> {
  const installing = previous.then(() => install(name, log, lib));
  previous = installing.catch(() => undefined);
  return installing;
}

async function install(name: Artifact, log: LogLine, lib: string): Promise<string> {
  const { goal, folder, title } = artifacts[name];
  const target = join(lib, folder);
  mkdirSync(lib, { recursive: true });
  removeAbandonedDownloads(lib);
  if (existsSync(target)) return target;
  log(`${title}: installing from Maven`);
  // Renamed when complete, so that an interrupted download leaves nothing half.
  const partial = `${target}.${process.pid}.part`;
  try {
    await runMaven([goal, `-Dinto=${partial}`], title, log);
    if (!existsSync(target)) renameSync(partial, target);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}

function removeAbandonedDownloads(lib: string): void {
  for (const name of readdirSync(lib)) {
    const pid = /\.(\d+)\.part$/.exec(name)?.[1];
    if (pid !== undefined && processStartTime(Number(pid)) === undefined)
      rmSync(join(lib, name), { recursive: true, force: true });
  }
}

function runMaven(goal: readonly string[], title: string, log: LogLine): Promise<void> {
  // -C rejects a download whose checksum is wrong.
  const args = ['-B', '-C', '-f', join(import.meta.dirname, 'pom.xml'), ...goal];
  const child = spawn('mvn', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...javaLocale } });
  let tail = '';
  let downloads = 0;
  let loggedAt = Date.now();
  const read = (chunk: Buffer): void => {
    const text = chunk.toString('utf8');
    tail = (tail + text).slice(-4_000);
    downloads += text.split('Downloaded from').length - 1;
    if (Date.now() - loggedAt > progressIntervalMs && downloads > 0) {
      loggedAt = Date.now();
      log(`${title}: ${downloads} files so far`);
    }
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve, reject) => {
    child.once('error', () =>
      reject(
        new Error(
          'cannot run mvn: backing services need Maven and Java 17 (mvn and java on the PATH), or a Docker engine, or the addresses of running services; see deploy/README.md',
        ),
      ),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`mvn ${goal.join(' ')} failed:\n${tail}`));
    });
  });
}
