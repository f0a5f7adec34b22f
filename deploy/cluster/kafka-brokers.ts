/**
 * Three brokers in KRaft's combined mode. Clients and brokers log in with SCRAM over TLS; controllers know each other
 * by their certificates, because SCRAM credentials are in the log that controllers keep.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import kafkajs from 'kafkajs';
import '#libs/kafka/request-timer.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { readJsonFile } from '../dev/dev-files.ts';
import { javaLocale } from '../dev/maven.ts';
import type { ProcessSpec } from '../dev/process-control.ts';
import { aclEntries, type KafkaLogin } from './kafka-rights.ts';
import { type BrokerName, brokerNames, type ClusterLayout, kafkaLogins } from './layout.ts';

const run = promisify(execFile);
const kjs = kafkajs;
const superUser = 'kafka' as const;

export async function prepareBroker(layout: ClusterLayout, name: BrokerName): Promise<ProcessSpec> {
  const home = join(layout.dir, name);
  mkdirSync(home, { recursive: true });
  if (!existsSync(layout.authority.filesOf(name).bundle)) await layout.authority.issue(name);
  writePrivateFile(join(home, 'server.properties'), brokerProperties(layout, name));
  writeFileSync(join(home, 'log4j2.properties'), logging);
  writeFileSync(join(home, 'hosts'), hostsFile(name));
  const java = [
    ...['-cp', join(layout.programs.kafka, '*'), '-Dlog4j2.configurationFile=log4j2.properties'],
    // The broker reaches each other one at an address of a proxy, which can part the two.
    '-Djdk.net.hosts.file=hosts',
  ];
  if (!existsSync(join(home, 'data', 'meta.properties'))) {
    const scram = [superUser, ...kafkaLogins].flatMap((login) => [
      '--add-scram',
      `SCRAM-SHA-512=[name=${login},password=${layout.passwords[login]}]`,
    ]);
    const format = ['kafka.tools.StorageTool', 'format', `--cluster-id=${clusterIdOf(layout)}`];
    const env = { ...process.env, ...javaLocale };
    await run('java', ['-XX:TieredStopAtLevel=1', ...java, ...format, '-c', 'server.properties', ...scram], {
      cwd: home,
      env,
    });
  }
  // All of the heap from the start: a night shows whether anything else grows.
  const heap = ['-Xms256m', '-Xmx256m', '-XX:+AlwaysPreTouch'];
  const options = [...heap, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
  return {
    name,
    command: 'java',
    args: [...options, ...java, 'kafka.Kafka', 'server.properties'],
    env: javaLocale,
    cwd: home,
    tier: 0,
    // A controlled shutdown moves the leaders to the other brokers.
    stopTimeoutMs: 15_000,
  };
}

/** The address at which one broker reaches another: a proxy listens there. */
export function brokerLinkAddress(from: BrokerName, to: BrokerName): string {
  return `127.10.${brokerNames.indexOf(from) + 1}.${brokerNames.indexOf(to) + 1}`;
}

function hostsFile(name: BrokerName): string {
  const lines = brokerNames.map(
    (other) => `${other === name ? '127.0.0.1' : brokerLinkAddress(name, other)} ${other}\n`,
  );
  return `127.0.0.1 localhost\n${lines.join('')}`;
}

function clusterIdOf({ dir }: ClusterLayout): string {
  const file = join(dir, 'cluster-id.json');
  const id = readJsonFile<string>(file) ?? Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  writePrivateFile(file, JSON.stringify(id));
  return id;
}

function brokerProperties({ ports, passwords, authority, isEarlierRelease }: ClusterLayout, name: BrokerName): string {
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required';
  const superUsers = [superUser, ...brokerNames.map((broker) => `CN=${broker}`)].map((user) => `User:${user}`);
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': brokerNames.indexOf(name) + 1,
    'controller.quorum.voters': brokerNames
      .map((broker, index) => `${index + 1}@${broker}:${ports[`${broker}.controller`]}`)
      .join(),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'BROKER',
    listeners: [
      `CLIENT://127.0.0.1:${ports[name]}`,
      `PARTED://127.0.0.1:${ports[`${name}.parted`]}`,
      `BROKER://127.0.0.1:${ports[`${name}.broker`]}`,
      `CONTROLLER://127.0.0.1:${ports[`${name}.controller`]}`,
    ].join(),
    'advertised.listeners': [
      `CLIENT://127.0.0.1:${ports[`${name}.proxy`]}`,
      `PARTED://127.0.0.1:${ports[`${name}.parted-proxy`]}`,
      `BROKER://${name}:${ports[`${name}.broker`]}`,
      `CONTROLLER://${name}:${ports[`${name}.controller`]}`,
    ].join(),
    'listener.security.protocol.map': 'CLIENT:SASL_SSL,PARTED:SASL_SSL,BROKER:SASL_SSL,CONTROLLER:SSL',
    'listener.name.controller.ssl.client.auth': 'required',
    // An earlier release has no setting for a certificate of its own.
    ...Object.fromEntries(
      ['client', 'parted'].map((listener) => [
        `listener.name.${listener}.ssl.client.auth`,
        isEarlierRelease ? 'none' : 'required',
      ]),
    ),
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': authority.filesOf(name).bundle,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': authority.file,
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'sasl.mechanism.inter.broker.protocol': 'SCRAM-SHA-512',
    'listener.name.client.scram-sha-512.sasl.jaas.config': `${scram};`,
    'listener.name.parted.scram-sha-512.sasl.jaas.config': `${scram};`,
    'listener.name.broker.scram-sha-512.sasl.jaas.config': `${scram} username="${superUser}" password="${passwords.kafka}";`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': superUsers.join(';'),
    'allow.everyone.if.no.acl.found': false,
    'log.dirs': 'data',
    'num.io.threads': 2,
    'num.network.threads': 2,
    'auto.create.topics.enable': false,
    'default.replication.factor': 3,
    'min.insync.replicas': 2,
    'offsets.topic.replication.factor': 3,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 3,
    'transaction.state.log.min.isr': 2,
    'transaction.state.log.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 6000,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    'log.index.size.max.bytes': 1_048_576,
    // A broker that was killed loses its partitions after this time. It is shorter than a producer waits for the replicas
    // (5 s): then the other leaders answer a send whose retry finds new leaders.
    'broker.session.timeout.ms': 4000,
    'broker.heartbeat.interval.ms': 500,
    // A replica that cannot be reached leaves the in-sync set after this time; writes wait for it until then.
    'replica.lag.time.max.ms': 10_000,
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

/** Rights of an earlier run stay. */
export async function createAcls(layout: ClusterLayout): Promise<void> {
  const admin = adminKafka(layout).admin();
  await admin.connect();
  try {
    await admin.createAcls({ acl: aclEntries() });
  } finally {
    await admin.disconnect();
  }
}

/** A client of the cluster's superuser. */
export function adminKafka(layout: ClusterLayout): kafkajs.Kafka {
  return kafkaClientOf(layout, superUser);
}

export function kafkaClientOf(
  { ports, passwords, authority }: ClusterLayout,
  login: KafkaLogin | typeof superUser,
): kafkajs.Kafka {
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  const { certificate, key } = authority.filesOf(login === superUser ? 'operator' : login);
  return new kjs.Kafka({
    clientId: 'cluster',
    brokers: brokerNames.map((name) => `127.0.0.1:${ports[`${name}.proxy`]}`),
    ssl: {
      ca: [readFileSync(authority.file, 'utf8')],
      cert: readFileSync(certificate, 'utf8'),
      key: readFileSync(key, 'utf8'),
    },
    sasl: { mechanism: 'scram-sha-512', username: login, password: passwords[login] },
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { retries: 2, initialRetryTime: 100 },
    logLevel: kjs.logLevel.NOTHING,
  });
}
