/** The schema registry, over TLS alone. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { javaLocale } from '../dev/maven.ts';
import type { ProcessSpec } from '../dev/process-control.ts';
import type { ClusterLayout } from './layout.ts';

export async function prepareRegistry({ dir, ports, authority, programs }: ClusterLayout): Promise<ProcessSpec> {
  const jar = readdirSync(programs.registry).find((file) => file.endsWith('-runner.jar'));
  if (jar === undefined)
    throw new Error(`no file *-runner.jar in ${programs.registry}; remove the folder to download it`);
  const home = join(dir, 'registry');
  mkdirSync(home, { recursive: true });
  const existing = authority.filesOf('registry');
  const { certificate, key } = existsSync(existing.key) ? existing : await authority.issue('registry');
  return {
    name: 'registry',
    command: 'java',
    args: ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', join(programs.registry, jar)],
    env: {
      ...javaLocale,
      QUARKUS_HTTP_HOST: '127.0.0.1',
      QUARKUS_HTTP_INSECURE_REQUESTS: 'disabled',
      QUARKUS_HTTP_SSL_PORT: String(ports.registry),
      QUARKUS_HTTP_SSL_CERTIFICATE_FILES: certificate,
      QUARKUS_HTTP_SSL_CERTIFICATE_KEY_FILES: key,
      REGISTRY_DATASOURCE_URL: 'jdbc:h2:file:./schemas;DB_CLOSE_ON_EXIT=FALSE',
    },
    cwd: home,
    tier: 0,
  };
}
