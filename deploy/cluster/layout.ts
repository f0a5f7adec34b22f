/** What every part of a cluster knows: its folder, ports, passwords, certificates and programs. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { readJsonFile } from '../dev/dev-files.ts';
import { isPublic, type SystemUser, unprivilegedUser } from '../dev/embedded-postgres.ts';
import { portsFor } from '../dev/ports.ts';
import { CertificateAuthority } from './certificates.ts';
import { type KafkaLogin, kafkaRights } from './kafka-rights.ts';
import { MissingPartError } from './missing-part.ts';
import type { Programs } from './programs.ts';

export const brokerNames = ['kafka-1', 'kafka-2', 'kafka-3'] as const;
export type BrokerName = (typeof brokerNames)[number];
export const postgresNames = ['postgres-1', 'postgres-2'] as const;
export type PostgresName = (typeof postgresNames)[number];
export const redisNames = ['redis-1', 'redis-2'] as const;
export const serviceNames = ['gateway-1', 'gateway-2', 'processor-1', 'processor-2'] as const;
export type ClusterServiceName = (typeof serviceNames)[number];

/** Reaches the brokers at a listener of its own, so that it alone can be parted from them. */
export const partedService = 'processor-1' satisfies ClusterServiceName;

/** Callers reach a server by its proxy port; the port of the server itself is used behind the proxy alone. */
const portNames = [
  ...brokerNames.flatMap((name) => [`${name}`, `${name}.proxy`, `${name}.broker`, `${name}.controller`] as const),
  ...brokerNames.flatMap((name) => [`${name}.parted`, `${name}.parted-proxy`] as const),
  ...postgresNames.flatMap((name) => [`${name}`, `${name}.proxy`, `${name}.patroni`, `${name}.etcd-proxy`] as const),
  ...serviceNames.flatMap((name) => [`${name}`, `${name}.operations`] as const),
  'redis-1',
  'redis-1.proxy',
  'redis-2',
  'registry',
  'registry.proxy',
  'etcd',
  'etcd.peers',
  'primary.proxy',
  'proxies.control',
] as const;
export type PortName = (typeof portNames)[number];

/** The logins of Kafka that are no superuser, and the services' and operators' passwords. */
export const kafkaLogins = Object.keys(kafkaRights) as KafkaLogin[];
const passwordNames = [
  ...kafkaLogins,
  'kafka',
  'postgres',
  'replicator',
  'lending',
  'lending_services',
  'redis',
] as const;
export type PasswordName = (typeof passwordNames)[number];

export type ClusterLayout = {
  readonly dir: string;
  readonly ports: Readonly<Record<PortName, number>>;
  readonly passwords: Readonly<Record<PasswordName, string>>;
  readonly authority: CertificateAuthority;
  readonly programs: Programs;
  /** Services of an earlier release know one address of Postgres: a proxy follows the primary for them. */
  readonly isEarlierRelease: boolean;
  /** The user who runs Postgres where this process is root. */
  readonly postgresUser: SystemUser | undefined;
};

export async function openLayout(dir: string, programs: Programs, isEarlierRelease: boolean): Promise<ClusterLayout> {
  const postgresUser = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (postgresUser !== undefined && !isPublic(dir)) {
    throw new MissingPartError(`Postgres does not run as root, and its user cannot enter ${dir}; move the project`);
  }
  const authority = await CertificateAuthority.open(join(dir, 'certificates'), programs.faketime);
  // Kafka and Postgres demand them from services beside the passwords.
  await Promise.all(kafkaLogins.map((login) => authority.issueOnce(login)));
  return {
    dir,
    ports: await portsFor(dir, portNames),
    passwords: passwordsIn(dir),
    authority,
    programs,
    isEarlierRelease,
    postgresUser,
  };
}

function passwordsIn(dir: string): Record<PasswordName, string> {
  const file = join(dir, 'passwords.json');
  const previous = readJsonFile<Partial<Record<PasswordName, string>>>(file) ?? {};
  const passwords = Object.fromEntries(
    passwordNames.map((name) => [name, previous[name] ?? randomBytes(18).toString('hex')]),
  ) as Record<PasswordName, string>;
  writePrivateFile(file, JSON.stringify(passwords));
  return passwords;
}
