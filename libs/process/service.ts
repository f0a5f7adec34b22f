/** What every service does around its one job. */
import { type Environment, logLevel, port, readConfig } from './config.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger } from './logging.ts';
import { measureProcess } from './metrics.ts';
import { type Figures, ownFigures, serveOperations } from './operations.ts';

export type Service = {
  readonly name: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
};

const common = { level: logLevel, metricsPort: port('METRICS_PORT', 0) };

/**
 * `work` opens what the service needs and tells the lifecycle how each is closed; a start that fails says why and ends.
 * A worker of a cluster has no port for its figures: its primary adds them up.
 */
export async function runService(
  name: string,
  work: (service: Service) => Promise<void>,
  figures: Figures | 'with the primary' = ownFigures,
): Promise<void> {
  try {
    const { level, metricsPort } = readConfig(process.env, common);
    const logger = createLogger(name, level);
    const service: Service = { name, env: process.env, logger, health: new Health(), lifecycle: new Lifecycle(logger) };
    service.lifecycle.listen();
    measureProcess(name);
    // First, so that it is the last to close: whoever watches a start or a stop sees it.
    const operations =
      figures === 'with the primary' ? undefined : await serveOperations(service.health, metricsPort, figures);
    if (operations !== undefined) service.lifecycle.onStop('operations', () => operations.close());
    await work(service);
    service.health.started();
    service.lifecycle.onStop('readiness', async () => service.health.stopping());
    logger.info(operations === undefined ? {} : { metrics_port: operations.port }, 'started');
  } catch (cause) {
    // Plain words for whoever starts it; what is a bug keeps its stack.
    const isTheirs = cause instanceof Error && cause.name === 'ConfigurationError';
    console.error(isTheirs ? `${name}: ${cause.message}` : cause);
    process.exit(1);
  }
}
