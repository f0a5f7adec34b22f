/** Opens what the console needs: connections, its reads, its port. */
import { hkdfSync, randomUUID } from 'node:crypto';
import { readCellSecret } from '#libs/database/cell-secrets.ts';
import type { Database } from '#libs/database/database.ts';
import { openHealthConnection } from '#libs/database/health-connection.ts';
import { openPartitionDatabases } from '#libs/database/open-partition-databases.ts';
import { openDatabase, testConnection } from '#libs/database/pool.ts';
import { reportPool } from '#libs/database/pool-metrics.ts';
import { waitForMigrations } from '#libs/database/required-migrations.ts';
import { connectKafka, kafkaCheck, probeKafka } from '#libs/kafka/kafka-client.ts';
import { schemaRegistryCheck } from '#libs/kafka/schema-registry.ts';
import { TotpSecrets } from '#libs/people/totp-secrets.ts';
import { openRedis, openSubscriber } from '#libs/redis/redis.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses, followSetting, followTls, type UrlSource } from '#libs/runtime/follow-setting.ts';
import { listen } from '#libs/runtime/http-listener.ts';
import type { Service } from '#libs/runtime/service.ts';
import { consoleSettings, consoleTls, monitoringSettings } from '#libs/runtime/settings.ts';
import { Administration } from '#libs/submission/administration.ts';
import { openSubmissionClient } from '#libs/submission/open-submission-client.ts';
import { createConsoleApp } from './app.ts';
import { loadAssets } from './assets.ts';
import { deleteExpiredInBackground } from './delete-expired-rows.ts';
import { openCellReadings } from './health/cell-readings.ts';
import { openReadApi } from './read-api.ts';
import { recordActsInBackground } from './record-acts.ts';

/** A page that cannot be answered within this time is answered with an error. */
const queryTimeoutMs = 5_000;
const connections = 8;
/** People, not programs: each browser opens a few. */
const maxConnections = 1_024;

export async function openConsole(service: Service): Promise<void> {
  const { env, logger, health, host, lifecycle } = service;
  const config = readConfig(env, { ...consoleSettings, ...monitoringSettings });
  const { kafkaBrokers } = readConfig(env, backingSettings);
  const { databaseUrl: url, partitionDatabaseUrls, redisUrl, schemaRegistryUrl } = followAddresses(env, logger);
  const instance = `console-${randomUUID().slice(0, 8)}`;
  const open = (url: UrlSource): Database =>
    openDatabase({ url, name: instance, connections, maxHoldMs: queryTimeoutMs });
  const database = open(url);
  lifecycle.onStop('postgres', () => database.end());
  reportPool(database);
  const healthConnection = openHealthConnection({ url, name: `${instance}-health`, lifecycle });
  const redis = openRedis(redisUrl, instance, logger);
  const subscriber = openSubscriber(redisUrl, instance, logger);
  lifecycle.onStop('redis', async () => {
    redis.disconnect();
    subscriber.disconnect();
  });
  const kafka = connectKafka(kafkaBrokers, instance, logger);
  health.addCheck('postgres', () => healthConnection.query('SELECT 1'));
  health.addCheck('redis', () => redis.ping(), 'nothing');
  // Without Kafka people still read.
  health.addCheck('kafka', kafkaCheck(probeKafka(kafkaBrokers, instance)), 'starting');
  health.addCheck('registry', schemaRegistryCheck(schemaRegistryUrl, logger), 'starting');
  await waitForDependency('Postgres', () => testConnection(database), logger);
  await waitForMigrations(database, logger);
  const sources = { home: database, urls: partitionDatabaseUrls, logger, lifecycle, open };
  const databases = await openPartitionDatabases(sources);
  const client = await waitForDependency(
    'Kafka and the schema registry',
    () => openSubmissionClient({ kafka, schemaRegistryUrl, databases, subscriber, logger }),
    logger,
  );
  lifecycle.onStop('submissions', () => client.close());
  const readApi = await openReadApi({ env, logger, databases, redis });
  lifecycle.onStop('read_api', () => readApi.close());
  const administration = new Administration(client.submitter, databases);
  recordActsInBackground({ databases, administration, logger }, lifecycle);
  deleteExpiredInBackground(database, logger, lifecycle);
  const totpKeys = followSetting(env, consoleSettings.totpKeys, logger);
  const readings = openCellReadings({
    kafka,
    schemaRegistryUrl,
    databases,
    readiness: () => health.readiness(),
    logger,
  });
  lifecycle.onStop('readings', async () => readings.stop());
  const app = createConsoleApp({
    database,
    databases,
    administration,
    readApi,
    readings,
    expectedStandbys: config.databaseStandbys,
    logger,
    assets: loadAssets(),
    challengeKey: await readChallengeKey(database),
    totpSecrets: new TotpSecrets(() => totpKeys() ?? []),
    isSecure: config.cert !== undefined || config.url?.startsWith('https:') === true,
    url: config.url,
    proxies: config.proxies,
  });
  const tls: Parameters<typeof listen>[1]['tls'] =
    config.cert === undefined ? undefined : (onChange) => followTls(env, consoleTls, logger, onChange);
  const http = await listen(app, { host, port: config.port, tls, maxConnections });
  lifecycle.onStop('http', () => http.close());
  lifecycle.onDrain('callers', () => lifecycle.drain());
  logger.info({ event: 'http.listening', port: http.port }, 'listening');
}

/** Derived from the secret of cursors: a key for each purpose. */
async function readChallengeKey(database: Database): Promise<Buffer> {
  return Buffer.from(hkdfSync('sha256', await readCellSecret(database, 'cursors'), '', 'passkey challenges', 32));
}
