/** What the image runs, as whom, and how. The Dockerfile states the same; a test compares them. */
import { nodeOptions, processorOptions } from '../dev/services.ts';

/** A number, so that Kubernetes can verify that it is not root. */
export const imageUser = '10001:10001';
export const imageFolder = '/app';
export const imageEntrypoint = ['/usr/local/bin/node', ...nodeOptions];

/** The arguments of a container by what it runs. `gateway` is the default of the image. */
export const imageCommands = {
  gateway: ['services/gateway/main.ts'],
  ingress: ['services/ingress/main.ts'],
  query: ['services/query/main.ts'],
  processor: [...processorOptions, 'services/processor/main.ts'],
  console: ['services/console/main.ts'],
  lending: ['libs/cli/main.ts'],
} as const satisfies Record<string, readonly string[]>;

/** In a container the ports are reached from outside. */
export const imageEnvironment = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080', METRICS_PORT: '9464' };
