import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed } from '../install.ts';
import { freePort } from '../ports.ts';
import { javaLocale, seenFrom } from './java.ts';
import type { Recipe } from './recipe.ts';

const run = promisify(execFile);

/** One broker in KRaft's combined mode: it is its own controller. */
export const kafka: Recipe = {
  name: 'kafka',
  address: (_dir, port) => `127.0.0.1:${port}`,
  async prepare(dir, port, say, lasting) {
    const jars = await installed('kafka', dir, say);
    const home = join(dir, 'kafka');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, config), properties(port, await freePort(new Set([port]))));
    writeFileSync(join(home, 'log4j2.properties'), logging);
    const java = ['-cp', `${seenFrom(home, jars)}/*`, '-Dlog4j2.configurationFile=log4j2.properties'];
    if (!existsSync(join(home, data, 'meta.properties'))) {
      const format = ['kafka.tools.StorageTool', 'format', `--cluster-id=${clusterId(home)}`, '-c', config];
      await run('java', [...java, ...format], { cwd: home, env: { ...process.env, ...javaLocale } });
    }
    return {
      name: 'kafka',
      command: 'java',
      args: [...jvm, ...(lasting ? [] : [quickly]), ...java, 'kafka.Kafka', config],
      env: javaLocale,
      cwd: home,
      tier: 0,
    };
  },
};

const config = 'server.properties';
const data = 'data';
const jvm = ['-Xmx512m', '-XX:+UseSerialGC', '-Djava.awt.headless=true'];
/** Java's first compiler alone: with the second a broker works half as much, after minutes in which it works twice. */
const quickly = '-XX:TieredStopAtLevel=1';

function clusterId(home: string): string {
  const file = join(home, 'cluster-id');
  if (!existsSync(file)) {
    writeFileSync(file, Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url'));
  }
  return readFileSync(file, 'utf8');
}

function properties(port: number, controllerPort: number): string {
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': data,
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
    // One consumer at a time joins here: waiting for more only slows every start.
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 6000,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    // Segments are laid out at full length otherwise, and each empty partition would take 20 MB of disk.
    'log.index.size.max.bytes': 1_048_576,
    // A broker killed and started again is refused until its old session has run out: 9 s by default.
    'broker.session.timeout.ms': 3000,
    'broker.heartbeat.interval.ms': 500,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

const logging = `status = error
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
`;
