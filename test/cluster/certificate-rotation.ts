/** New certificates for every login and server, signed by the same authority, while callers write. */
import { brokerNames, kafkaLogins, postgresNames } from '#deploy/cluster/layout.ts';
import { findPostmaster, issuePostgresCertificate } from '#deploy/cluster/postgres-pair.ts';
import { sendSignal } from '#deploy/dev/process-control.ts';
import type { ClusterControl } from './cluster-control.ts';

export async function rotateCertificates(control: ClusterControl): Promise<void> {
  const { layout } = control.cluster;
  // Services read them for each new connection.
  for (const login of kafkaLogins) await layout.authority.issue(login);
  for (const name of postgresNames) {
    await issuePostgresCertificate(layout, name);
    const postmaster = findPostmaster(layout, name);
    // Postgres reads its certificate again; connections that are open keep the former one.
    if (postmaster !== undefined) sendSignal(postmaster, 'SIGHUP');
  }
  for (const name of ['redis-1', 'redis-2', 'registry']) {
    await layout.authority.issue(name);
    await control.stop(name);
    await control.restart(name);
  }
  for (const name of brokerNames) {
    await layout.authority.issue(name);
    await control.stop(name);
    await control.restart(name);
    await control.untilInSync();
  }
}
