/** What a fault can do to a running cluster, and the wait until the cluster is whole again. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Cluster,
  patroniCluster,
  startService,
  until,
  untilRegistryReady,
  untilServiceReady,
  untilSynchronousStandby,
} from '#deploy/cluster/cluster.ts';
import { readinessUrl } from '#deploy/cluster/cluster-services.ts';
import { adminKafka } from '#deploy/cluster/kafka-brokers.ts';
import {
  type BrokerName,
  brokerNames,
  type ClusterServiceName,
  type PostgresName,
  postgresNames,
  serviceNames,
} from '#deploy/cluster/layout.ts';
import { findPostmaster } from '#deploy/cluster/postgres-pair.ts';
import {
  isRunning,
  listProcesses,
  type ProcessEntry,
  requireProcess,
  restartProcess,
  sendSignal,
  sendSignalToTree,
  waitForExit,
} from '#deploy/dev/process-control.ts';
import { topics } from '#libs/kafka/topics.ts';

const wholeTimeoutMs = 120_000;
const exitTimeoutMs = 10_000;

export class ClusterControl {
  readonly cluster: Cluster;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  /** SIGKILL; the process stays down until `restart`. */
  async kill(name: string): Promise<void> {
    const entry = this.#process(name);
    sendSignal(entry, 'SIGKILL');
    await waitForExit(entry, exitTimeoutMs);
  }

  /** SIGTERM, as a process manager stops it. */
  async stop(name: string): Promise<void> {
    const entry = this.#process(name);
    sendSignal(entry, 'SIGTERM');
    if (!(await waitForExit(entry, entry.stopTimeoutMs ?? exitTimeoutMs))) await this.kill(name);
  }

  restart(name: string): Promise<void> {
    return restartProcess(this.cluster.layout.dir, this.#process(name));
  }

  /** A service with other variables, such as those that shift its clock. */
  async restartService(name: ClusterServiceName, env: Record<string, string>): Promise<void> {
    await this.stop(name);
    await startService(this.cluster.layout, name, this.cluster.tree, env);
  }

  pause(name: string): void {
    sendSignalToTree(this.#process(name), 'SIGSTOP');
  }

  resume(name: string): void {
    sendSignalToTree(this.#process(name), 'SIGCONT');
  }

  isRunning(name: string): boolean {
    return isRunning(this.#process(name));
  }

  /** The named servers keep their connections, and no data passes on them; of a service those to Kafka. An empty list ends it. */
  async isolate(names: readonly string[]): Promise<void> {
    const port = this.cluster.layout.ports['proxies.control'];
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'PUT', body: JSON.stringify(names) });
    if (!response.ok) throw new Error(`the proxies answered ${response.status}; expected 200`);
  }

  /** The server that holds Patroni's lock. */
  async primary(): Promise<PostgresName> {
    const { members } = await patroniCluster(this.cluster.layout);
    const leader = members.find(({ role }) => role === 'leader')?.name;
    const name = postgresNames.find((each) => each === leader);
    if (name === undefined) throw new Error('Postgres has no primary at the moment');
    return name;
  }

  async standby(): Promise<PostgresName> {
    const primary = await this.primary();
    return primary === 'postgres-1' ? 'postgres-2' : 'postgres-1';
  }

  /** SIGKILL of Postgres alone: Patroni sees it and gives the lock to the standby. */
  async killPostmaster(name: PostgresName): Promise<void> {
    const postmaster = findPostmaster(this.cluster.layout, name);
    if (postmaster === undefined) throw new Error(`${name} does not run`);
    sendSignal(postmaster, 'SIGKILL');
    await waitForExit(postmaster, exitTimeoutMs);
  }

  /** Patroni and its Postgres, as where the machine is paused. */
  signalPostgres(name: PostgresName, signal: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = findPostmaster(this.cluster.layout, name);
    sendSignalToTree(this.#process(name), signal);
    if (postmaster !== undefined) sendSignalToTree(postmaster, signal);
  }

  async unreadyServices(): Promise<string[]> {
    const { layout } = this.cluster;
    const statuses = await Promise.all(
      serviceNames.map(async (name) => [name, (await fetch(readinessUrl(layout, name))).status] as const),
    );
    return statuses.filter(([, status]) => status !== 200).map(([name, status]) => `${name} ${status}`);
  }

  /** Ends what a fault that failed left behind: isolation, pauses and processes that are down. */
  async liftAll(): Promise<void> {
    await this.isolate([]);
    for (const name of postgresNames) this.signalPostgres(name, 'SIGCONT');
    for (const entry of listProcesses(this.cluster.layout.dir)) {
      sendSignalToTree(entry, 'SIGCONT');
      await restartProcess(this.cluster.layout.dir, entry);
    }
  }

  /** Every replica in sync, a synchronous standby, the registry and every service ready. */
  async untilWhole(): Promise<void> {
    await Promise.all([
      this.untilInSync(),
      untilSynchronousStandby(this.cluster.layout, wholeTimeoutMs),
      untilRegistryReady(this.cluster.layout),
      ...serviceNames.map((name) => untilServiceReady(this.cluster.layout, name)),
    ]);
  }

  /** The broker that leads the partition of __consumer_offsets in which the group is stored. */
  async coordinatorOf(groupId: string): Promise<BrokerName> {
    const admin = adminKafka(this.cluster.layout).admin();
    await admin.connect();
    try {
      const { topics: described } = await admin.fetchTopicMetadata({ topics: ['__consumer_offsets'] });
      const partitions = described[0]?.partitions ?? [];
      const stored = Math.abs(javaHashCode(groupId)) % partitions.length;
      const leader = partitions.find(({ partitionId }) => partitionId === stored)?.leader;
      const name = brokerNames[(leader ?? 0) - 1];
      if (name === undefined) throw new Error(`the group ${groupId} has no coordinator at the moment`);
      return name;
    } finally {
      await admin.disconnect();
    }
  }

  async untilInSync(): Promise<void> {
    const kafka = adminKafka(this.cluster.layout);
    await until('in-sync replicas of every partition', wholeTimeoutMs, async () => {
      const admin = kafka.admin();
      try {
        await admin.connect();
        const { topics: described } = await admin.fetchTopicMetadata({ topics: Object.values(topics) });
        return described.every(({ partitions }) =>
          partitions.every(({ isr, replicas }) => isr.length === replicas.length),
        );
      } finally {
        await admin.disconnect();
      }
    });
  }

  /** The process of the last start under this name. */
  #process(name: string): ProcessEntry {
    return requireProcess(this.cluster.layout.dir, name);
  }
}

/** Of a text, as Kafka computes it to choose the partition. */
function javaHashCode(text: string): number {
  return [...text].reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, 0);
}

export async function seconds(count: number): Promise<void> {
  await sleep(count * 1_000);
}
