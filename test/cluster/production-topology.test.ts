/**
 * A production topology loses nothing when a broker and the primary of Postgres are killed. The long form, with every
 * fault, is `npm run faults:cluster`.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type Cluster, startCluster } from '#deploy/cluster/cluster.ts';
import { MissingPartError } from '#deploy/cluster/missing-part.ts';
import { installPrograms } from '#deploy/cluster/programs.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { ClusterControl } from '#test/cluster/cluster-control.ts';
import { runFault } from '#test/cluster/fault-run.ts';
import { selectFaults } from '#test/cluster/faults.ts';
import { openLoad } from '#test/cluster/lender.ts';

const dir = join(projectDir, '.data', 'test', `cluster-${process.pid}`);
const perSecond = 60;
const testTimeoutMs = 240_000;
let cluster: Cluster | undefined;

/** Undefined where this machine has, or can download, every part of the cluster. */
const missingPart = await installPrograms(() => undefined).then(
  () => undefined,
  (cause: unknown) => {
    if (cause instanceof MissingPartError) return cause.message;
    throw cause;
  },
);
if (missingPart !== undefined) console.log(`the test of the production topology is skipped: ${missingPart}`);
const testWhereInstalled = missingPart === undefined ? test : test.skip;

afterAll(async () => {
  await cluster?.stop();
  rmSync(dir, { recursive: true, force: true });
}, testTimeoutMs);

testWhereInstalled(
  'no write is lost, doubled or missing in the topic when a broker and the primary of Postgres are killed',
  async () => {
    cluster = await startCluster({ dir, log: () => undefined });
    const { tenantId, load } = await openLoad(cluster, { perSecond, isMixed: false });
    const options = { control: new ClusterControl(cluster), load, tenantId };
    for (const fault of selectFaults(['broker-kill-kafka-2', 'primary-kill'])) {
      const result = await runFault(fault, { ...options, withAudit: fault.name === 'primary-kill' });
      expect(result.problems).toEqual([]);
      expect(result.acknowledged).toBeGreaterThan(0);
    }
  },
  testTimeoutMs,
);
