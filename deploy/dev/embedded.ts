/** Backing services as local processes, from Maven and npm packages alone. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { LogLine } from './dev-files.ts';
import { preparePostgres } from './embedded-postgres.ts';
import type { BackingServiceName, ServiceAddresses } from './environment.ts';
import { installArtifact, javaLocale } from './maven.ts';
import { freePort, localAddresses, portsFor } from './ports.ts';
import { type ProcessSpec, startProcess } from './process-control.ts';

const run = promisify(execFile);

type StartContext = {
  readonly dir: string;
  readonly port: number;
  readonly log: LogLine;
};

/** Each installs, formats and configures, and returns the command to run. Safe to repeat. */
const prepare: Readonly<Record<BackingServiceName, (context: StartContext) => Promise<ProcessSpec>>> = {
  kafka: prepareKafka,
  registry: prepareRegistry,
  postgres: ({ dir, port }) => preparePostgres(dir, port),
  redis: prepareRedis,
};

/** Returns the addresses; the caller waits until the services answer. */
export async function startEmbedded(
  dir: string,
  names: readonly BackingServiceName[],
  log: LogLine,
): Promise<ServiceAddresses> {
  const ports = await portsFor(dir, names);
  const starting = names.map(async (name) => {
    const port = ports[name];
    startProcess(dir, await prepare[name]({ dir, port, log }));
    return [name, localAddresses[name](dir, port)] as const;
  });
  // All settle before a failure is thrown: a process that starts later would not be stopped.
  await Promise.allSettled(starting);
  return Object.fromEntries(await Promise.all(starting));
}

const jvmOptions = ['-Xmx512m', '-XX:+UseSerialGC', '-Djava.awt.headless=true'];
/**
 * The first compiler only. The second one takes more processor time in the first minutes of load than Kafka itself: with
 * 16 callers 978 µs of both for each Receipt instead of 335.
 */
const fastStartOption = '-XX:TieredStopAtLevel=1';
const kafkaConfig = 'server.properties';

/** One broker in KRaft's combined mode, which is its own controller. */
async function prepareKafka({ dir, port, log }: StartContext): Promise<ProcessSpec> {
  const jars = await installArtifact('kafka', log);
  const home = join(dir, 'kafka');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, kafkaConfig), kafkaProperties(port, await freePort(new Set([port]))));
  writeFileSync(join(home, 'log4j2.properties'), kafkaLogging);
  const java = ['-cp', `${relativePath(home, jars)}/*`, '-Dlog4j2.configurationFile=log4j2.properties'];
  if (!existsSync(join(home, 'data', 'meta.properties'))) {
    const format = ['kafka.tools.StorageTool', 'format', `--cluster-id=${clusterIdIn(home)}`, '-c', kafkaConfig];
    await run('java', [...java, ...format], { cwd: home, env: { ...process.env, ...javaLocale } });
  }
  return {
    name: 'kafka',
    command: 'java',
    args: [...jvmOptions, fastStartOption, ...java, 'kafka.Kafka', kafkaConfig],
    env: javaLocale,
    cwd: home,
    tier: 0,
  };
}

function clusterIdIn(home: string): string {
  const file = join(home, 'cluster-id');
  if (!existsSync(file)) {
    writeFileSync(file, Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url'));
  }
  return readFileSync(file, 'utf8');
}

function kafkaProperties(port: number, controllerPort: number): string {
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': 'data',
    'num.io.threads': 2,
    'num.network.threads': 1,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'share.coordinator.state.topic.num.partitions': 1,
    // One consumer at a time joins here; a delay would only slow every start.
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 6000,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    // Index files are preallocated at full length: 20 MB of disk per empty partition by default.
    'log.index.size.max.bytes': 1_048_576,
    // An idle broker otherwise writes to its metadata twice a second: a third of the processor time that it uses.
    'metadata.max.idle.interval.ms': 10_000,
    // A broker that is killed and restarted is refused until its old session has expired: 9 s by default.
    'broker.session.timeout.ms': 3000,
    'broker.heartbeat.interval.ms': 500,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

const kafkaLogging = `status = error
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
`;

async function prepareRegistry({ dir, port, log }: StartContext): Promise<ProcessSpec> {
  const app = await installArtifact('registry', log);
  const jar = readdirSync(app).find((file) => file.endsWith('-runner.jar'));
  if (jar === undefined) throw new Error(`no file *-runner.jar in ${app}; remove the folder to download it again`);
  const home = join(dir, 'registry');
  mkdirSync(home, { recursive: true });
  return {
    name: 'registry',
    command: 'java',
    args: ['-Xmx256m', '-XX:+UseSerialGC', fastStartOption, '-jar', relativePath(home, join(app, jar))],
    env: {
      ...javaLocale,
      QUARKUS_HTTP_HOST: '127.0.0.1',
      QUARKUS_HTTP_PORT: String(port),
      // In memory by default; every record of the topic holds a schema id, which must survive a restart.
      REGISTRY_DATASOURCE_URL: 'jdbc:h2:file:./schemas;DB_CLOSE_ON_EXIT=FALSE',
    },
    cwd: home,
    tier: 0,
  };
}

async function prepareRedis({ dir, port, log }: StartContext): Promise<ProcessSpec> {
  const binaries = await installArtifact('redis', log);
  const platform = `${process.platform}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
  const file = readdirSync(binaries).find((name) => name.startsWith('redis-server-') && name.endsWith(platform));
  if (file === undefined) {
    throw new Error(`the embedded Redis has no server for ${platform}; set REDIS_URL to a running Redis`);
  }
  chmodSync(join(binaries, file), 0o755);
  const home = join(dir, 'redis');
  mkdirSync(home, { recursive: true });
  return {
    name: 'redis',
    command: join(binaries, file),
    // Nothing is saved: all that Redis holds is derived, and is rebuilt from Postgres.
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', home, '--save', '', '--appendonly', 'no'],
    cwd: home,
    tier: 0,
  };
}

/** An absolute path may hold characters that separate entries in a class path, a list or an address. */
function relativePath(home: string, path: string): string {
  return relative(realpathSync(home), realpathSync(path));
}
