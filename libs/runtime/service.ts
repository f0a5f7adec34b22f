/** What every service does around its own work: configuration, logs, health, metrics, orderly start and stop. */
import { ConfigurationError, type Environment, readConfig } from './config.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger, ServiceOutput } from './logging.ts';
import { collectProcessMetrics, reportDegradation, reportReadiness } from './metrics-registry.ts';
import { type MetricsSource, ownMetrics, serveOperations } from './operations-server.ts';
import { processSettings, tracingSettings } from './settings.ts';
import { startTracing } from './tracing.ts';
import { answerReadinessQuestions, reportStarted } from './worker-messages.ts';

export interface Service {
  readonly name: string;
  readonly env: Environment;
  /** The address that the ports of the service listen on. */
  readonly host: string;
  readonly logger: Logger;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
}

/**
 * `open` opens what the service needs and registers how it is closed. A start that fails is logged and exits with status
 * 1. A worker of a cluster has no operations port: its primary has one for all workers.
 */
export async function runService(
  name: string,
  open: (service: Service) => Promise<void>,
  source: MetricsSource | 'with the primary' = ownMetrics,
): Promise<void> {
  try {
    const config = readConfig(process.env, { ...processSettings, ...tracingSettings });
    const { logLevel, host, metricsPort, drainMs } = config;
    const output = new ServiceOutput();
    const logger = createLogger(name, logLevel, output);
    const lifecycle = new Lifecycle(logger, drainMs);
    const service: Service = { name, env: process.env, host, logger, health: new Health(), lifecycle };
    lifecycle.listen();
    collectProcessMetrics(name);
    reportDegradation(service.health);
    reportReadiness(service.health);
    const tracing = await startTracing(name, config, logger);
    // Added first and so closed last: the spans of the last requests are sent.
    if (tracing !== undefined) lifecycle.onStop('traces', () => tracing.close());
    if (source === 'with the primary') await startWorker(service, open);
    else await startProcess(service, open, { metricsPort, source });
    output.writeInBackground();
  } catch (cause) {
    exitAfterFailedStart(name, cause);
  }
}

async function startWorker(service: Service, open: (service: Service) => Promise<void>): Promise<void> {
  answerReadinessQuestions(service.health);
  await start(service, open);
  reportStarted();
  service.logger.info({ event: 'service.started' }, 'started');
}

async function startProcess(
  service: Service,
  open: (service: Service) => Promise<void>,
  { metricsPort, source }: { readonly metricsPort: number; readonly source: MetricsSource },
): Promise<void> {
  const { health, host, lifecycle, logger } = service;
  // Opened first and so closed last: starts and stops can be observed.
  const operations = await serveOperations(health, { host, metricsPort }, source);
  lifecycle.onStop('operations', () => operations.close());
  const port = { metrics_port: operations.port };
  logger.info({ event: 'service.starting', ...port }, 'starting');
  await start(service, open);
  logger.info({ event: 'service.started', ...port }, 'started');
}

async function start(service: Service, open: (service: Service) => Promise<void>): Promise<void> {
  await open(service);
  service.health.markStarted();
  service.lifecycle.onDrain('readiness', async () => service.health.markStopping());
}

/** Logged at every log level. Configuration errors, which the operator can fix, also go to standard error as text. */
export function exitAfterFailedStart(name: string, cause: unknown): never {
  const logger = createLogger(name, 'fatal', new ServiceOutput());
  if (cause instanceof ConfigurationError) {
    const { problems } = cause;
    logger.fatal({ event: 'service.configuration_invalid', problems }, 'invalid configuration; exiting');
    console.error(`${name}: ${cause.message}`);
  } else {
    logger.fatal({ event: 'service.start_failed', err: cause }, 'failed to start; exiting');
  }
  process.exit(1);
}
