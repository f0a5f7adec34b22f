import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../install.ts';
import { javaLocale, seenFrom } from './java.ts';
import type { Recipe } from './recipe.ts';

/** Apicurio speaks the Confluent API under /apis/ccompat/v7. */
export const registry: Recipe = {
  name: 'registry',
  address: (_dir, port) => `http://127.0.0.1:${port}/apis/ccompat/v7`,
  async prepare(dir, port, say) {
    const app = await installed('registry', dir, say);
    const jar = readdirSync(app).find((file) => file.endsWith('-runner.jar'));
    if (jar === undefined) throw new Error(`no runner jar in ${app}`);
    const home = join(dir, 'registry');
    mkdirSync(home, { recursive: true });
    return {
      name: 'registry',
      command: 'java',
      args: ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', seenFrom(home, join(app, jar))],
      env: {
        ...javaLocale,
        QUARKUS_HTTP_HOST: '127.0.0.1',
        QUARKUS_HTTP_PORT: String(port),
        // In memory by default: the schemas' numbers stand in every record of the topic and must survive a restart.
        REGISTRY_DATASOURCE_URL: 'jdbc:h2:file:./schemas;DB_CLOSE_ON_EXIT=FALSE',
      },
      cwd: home,
      tier: 0,
    };
  },
};
