/** Whether a stack with embedded Kafka, schema registry, Postgres and Redis can be started here. */
import { missingForJavaSdk } from './java-sdk.ts';
import { testEnvironment } from './tenant.ts';

/**
 * Why it cannot; undefined where it can. The tests may have their stack in containers: then nothing has shown yet that an embedded
 * one can be started.
 */
export async function missingForEmbeddedStack(): Promise<string | undefined> {
  return testEnvironment().stack.sources.kafka === 'embedded' ? undefined : missingForJavaSdk();
}
