/** The faults of `npm run faults:cluster`. Each is put on the cluster under load and lifted again. */
import {
  type BrokerName,
  brokerNames,
  type ClusterServiceName,
  type PostgresName,
  partedService,
  serviceNames,
} from '#deploy/cluster/layout.ts';
import { processorGroupId } from '#libs/kafka/topics.ts';
import { rotateCertificates } from './certificate-rotation.ts';
import { type ClusterControl, seconds } from './cluster-control.ts';
import type { Fault, FaultContext } from './fault.ts';
import { fillDisk } from './full-disk.ts';

/** Longer than the session of a broker, so that its partitions move. */
const heldSeconds = 10;
/** Longer than the lock of Patroni is valid. */
const pausedPrimarySeconds = 30;
/** Longer than writes may wait. */
const lostSeconds = 40;

function killed(name: BrokerName | ClusterServiceName): Fault['run'] {
  return async ({ control, lifted }) => {
    await control.kill(name);
    await seconds(heldSeconds);
    await control.restart(name);
    lifted();
  };
}

/** Services are ready without them. */
function withoutDependencies(names: readonly ('registry' | 'redis-1')[]): Fault['run'] {
  return async ({ control, lifted }) => {
    await Promise.all(names.map((name) => control.kill(name)));
    await seconds(heldSeconds);
    const unready = await control.unreadyServices();
    if (unready.length > 0) throw new Error(`not ready without ${names.join(' and ')}: ${unready.join(', ')}`);
    await Promise.all(names.map((name) => control.restart(name)));
    lifted();
  };
}

function paused(name: BrokerName | ClusterServiceName): Fault['run'] {
  return async ({ control, lifted }) => {
    control.pause(name);
    await seconds(heldSeconds);
    control.resume(name);
    lifted();
  };
}

function isolated(choose: (control: ClusterControl) => Promise<string>): Fault['run'] {
  return async ({ control, lifted }) => {
    const name = await choose(control);
    await control.isolate([name]);
    await seconds(pausedPrimarySeconds);
    await control.isolate([]);
    lifted();
  };
}

/** The connections of a Postgres that is stopped stay open. */
function hanging(choose: (control: ClusterControl) => Promise<PostgresName>): Fault['run'] {
  return async ({ control, lifted }) => {
    const name = await choose(control);
    control.signalPostgres(name, 'SIGSTOP');
    await seconds(pausedPrimarySeconds);
    control.signalPostgres(name, 'SIGCONT');
    lifted();
  };
}

const clockShift = 10 * 60;

/** The clock of one service, by libfaketime. Timers keep their pace. */
function shiftedClock(
  name: ClusterServiceName,
  shiftSeconds: number,
  check: (context: FaultContext) => Promise<void> = async () => undefined,
): Fault {
  return {
    name: `clock-${name}${shiftSeconds > 0 ? '-ahead' : '-behind'}`,
    stopsWrites: true,
    missing: ({ cluster }) =>
      cluster.layout.programs.faketime === undefined ? 'libfaketime is not installed' : undefined,
    async run(context) {
      const { control, lifted } = context;
      try {
        await control.restartService(name, {
          LD_PRELOAD: control.cluster.layout.programs.faketime ?? '',
          FAKETIME: `${shiftSeconds > 0 ? '+' : ''}${shiftSeconds}`,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        });
        await check(context);
        await seconds(heldSeconds);
      } finally {
        await control.restartService(name, {});
      }
      lifted();
    },
  };
}

/** A gateway whose clock is wrong takes correct signatures for too old. It is out of the balancer, as its runbook says. */
function gatewayWithShiftedClock(index: number, shiftSeconds: number): Fault {
  const name = serviceNames.filter((each) => each.startsWith('gateway'))[index] as ClusterServiceName;
  const fault = shiftedClock(name, shiftSeconds, async ({ control, load }) => {
    const status = await load.statusOf(control.cluster.gatewayUrls[index] ?? '');
    if (status !== 401) throw new Error(`${name} with a wrong clock answered ${status}; expected 401`);
  });
  return {
    ...fault,
    async run(context) {
      const { control, load } = context;
      load.unusedGateway = control.cluster.gatewayUrls[index];
      try {
        await fault.run(context);
      } finally {
        load.unusedGateway = undefined;
      }
    },
  };
}

export const faults: readonly Fault[] = [
  ...brokerNames.map((name) => ({ name: `broker-kill-${name}`, run: killed(name) })),
  ...brokerNames.map((name) => ({ name: `broker-pause-${name}`, run: paused(name) })),
  {
    name: 'coordinator-kill',
    async run({ control, lifted }) {
      const name = await control.coordinatorOf(processorGroupId);
      await control.kill(name);
      await seconds(lostSeconds);
      await control.restart(name);
      lifted();
    },
  },
  {
    name: 'two-brokers-kill',
    stopsWrites: true,
    async run({ control, load, lifted }) {
      await control.kill('kafka-1');
      await control.kill('kafka-2');
      // Answers of writes that two replicas held before the kill may still arrive.
      await seconds(heldSeconds / 2);
      const before = load.acknowledged.length;
      await seconds(heldSeconds);
      const more = load.acknowledged.length - before;
      if (more > 0) throw new Error(`${more} writes were acknowledged while one broker of three was left`);
      await Promise.all([control.restart('kafka-1'), control.restart('kafka-2')]);
      lifted();
    },
  },
  {
    name: 'two-brokers-pause',
    stopsWrites: true,
    async run({ control, lifted }) {
      for (const name of ['kafka-1', 'kafka-2'] as const) control.pause(name);
      await seconds(heldSeconds);
      for (const name of ['kafka-1', 'kafka-2'] as const) control.resume(name);
      lifted();
    },
  },
  {
    name: 'primary-kill',
    async run({ control, lifted }) {
      await control.killPostmaster(await control.primary());
      await seconds(heldSeconds);
      lifted();
    },
  },
  {
    name: 'primary-machine-kill',
    async run({ control, lifted }) {
      const name = await control.primary();
      await control.kill(name);
      await control.killPostmaster(name);
      await seconds(pausedPrimarySeconds);
      await control.restart(name);
      lifted();
    },
  },
  { name: 'primary-pause', run: hanging((control) => control.primary()) },
  {
    name: 'standby-kill',
    async run({ control, lifted }) {
      const name = await control.standby();
      await control.kill(name);
      await control.killPostmaster(name);
      await seconds(heldSeconds);
      await control.restart(name);
      lifted();
    },
  },
  // Commits wait until the primary gives it up.
  { name: 'standby-pause', run: hanging((control) => control.standby()) },
  ...serviceNames.map((name) => ({ name: `service-kill-${name}`, run: killed(name) })),
  ...serviceNames.map((name) => ({ name: `service-pause-${name}`, run: paused(name) })),
  { name: 'partition-broker', run: isolated(async () => 'kafka-2') },
  { name: 'partition-primary', run: isolated((control) => control.primary()) },
  { name: 'partition-processor-kafka', run: isolated(async () => partedService) },
  { name: 'redis-kill', run: withoutDependencies(['redis-1']) },
  { name: 'registry-kill', run: withoutDependencies(['registry']) },
  { name: 'redis-and-registry-kill', run: withoutDependencies(['redis-1', 'registry']) },
  fillDisk('kafka-3'),
  fillDisk('primary'),
  fillDisk('standby'),
  shiftedClock('processor-1', clockShift),
  shiftedClock('processor-2', -clockShift),
  gatewayWithShiftedClock(1, clockShift),
  {
    name: 'certificates',
    async run({ control, lifted }) {
      await rotateCertificates(control);
      lifted();
    },
  },
];

/** A name selects itself and every fault whose name begins with it: `broker-kill` selects three. Without names all. */
export function selectFaults(names: readonly string[]): readonly Fault[] {
  if (names.length === 0) return faults;
  return names.flatMap((name) => {
    const selected = faults.filter((fault) => fault.name === name || fault.name.startsWith(`${name}-`));
    if (selected.length > 0) return selected;
    throw new Error(`no fault ${name}; expected some of ${faults.map((fault) => fault.name).join(', ')}`);
  });
}
