/** What every service does around its one job. */
import { ConfigurationError, type Environment, integer, logLevel, port, readConfig } from './config.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger, ServiceOutput, writtenAtOnce } from './logging.ts';
import { measureProcess } from './metrics.ts';
import { type Figures, ownFigures, serveOperations } from './operations.ts';
import { tellPrimary, tellStarted } from './workers-health.ts';

export type Service = {
  readonly name: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
};

const common = {
  level: logLevel,
  metricsPort: port('METRICS_PORT', 0),
  drainMs: integer('DRAIN_MS', { least: 0, most: 300_000, fallback: 0 }),
};

/**
 * `work` opens what the service needs and tells the lifecycle how each is closed; a start that fails says why and ends.
 * A worker of a cluster has no port for its figures and its health: its primary tells them.
 */
export async function runService(
  name: string,
  work: (service: Service) => Promise<void>,
  figures: Figures | 'with the primary' = ownFigures,
): Promise<void> {
  try {
    const { level, metricsPort, drainMs } = readConfig(process.env, common);
    const output = new ServiceOutput();
    const logger = createLogger(name, level, output);
    const lifecycle = new Lifecycle(logger, drainMs);
    const service: Service = { name, env: process.env, logger, health: new Health(), lifecycle };
    service.lifecycle.listen();
    measureProcess(name);
    if (figures === 'with the primary') {
      tellPrimary(service.health);
      await run(service, work);
      tellStarted();
      logger.info('started');
      output.inBackground();
      return;
    }
    // First, so that it is the last to close: whoever watches a start or a stop sees it.
    const operations = await serveOperations(service.health, metricsPort, figures);
    service.lifecycle.onStop('operations', () => operations.close());
    logger.info({ metrics_port: operations.port }, 'starting');
    await run(service, work);
    logger.info({ metrics_port: operations.port }, 'started');
    output.inBackground();
  } catch (cause) {
    failStart(name, cause);
  }
}

async function run(service: Service, work: (service: Service) => Promise<void>): Promise<void> {
  await work(service);
  service.health.started();
  service.lifecycle.onLeave('readiness', async () => service.health.stopping());
}

/** Into the log like everything else; what whoever starts it can mend, in plain words on standard error as well. */
export function failStart(name: string, cause: unknown): never {
  const isTheirs = cause instanceof ConfigurationError;
  // Whatever the level told, which may be what is wrong: why a service does not start is always said.
  const logger = createLogger(name, 'fatal', writtenAtOnce());
  if (isTheirs) logger.fatal({ problems: cause.problems }, 'the configuration does not hold; not started');
  else logger.fatal({ err: cause }, 'not started');
  if (isTheirs) console.error(`${name}: ${cause.message}`);
  process.exit(1);
}
