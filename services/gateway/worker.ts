import { port, readConfig } from '#libs/process/config.ts';
import { listen } from '#libs/process/http.ts';
import { withProbes } from '#libs/process/operations.ts';
import type { Service } from '#libs/process/service.ts';

export async function serveCallers(service: Service): Promise<void> {
  const config = readConfig(service.env, { port: port('PORT', 8080) });
  const http = await listen(
    withProbes(service.health, (_request, response) => response.writeHead(404).end()),
    config.port,
  );
  service.lifecycle.onStop('http', () => http.close());
  service.logger.info({ port: http.port }, 'listening');
}
