/** Runs the tests of the Java SDK with the running service, its README, the samples in Java and the quick start with them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { formatSecret } from '#libs/auth/signer.ts';
import { javaSample } from '#libs/site/samples/java.ts';
import { type SampleLanguage, sampleLanguages } from '#libs/site/samples/languages.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { javaRunner, runQuickStart, runSamples } from '#test/documentation/sample-runners.ts';
import { printedUntilEvent, streamPrograms } from '#test/documentation/stream-samples.ts';
import { buildJavaSdk, javaSdkDir, missingForJavaSdk, runJava } from '#test/support/java-sdk.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

// The first run downloads JUnit and the plugins of Maven; javac is slow on a busy machine.
const timeoutMs = 900_000;

function variablesOf({ id, signer }: Tenant): Readonly<Record<string, string>> {
  const { services, stack } = testEnvironment();
  return {
    LENDING_URL: services.baseUrl,
    LENDING_TENANT: id,
    LENDING_KEY: formatSecret({ environment: 'test', seed: signer.secretKey.subarray(0, 32) }),
    KAFKA_BROKERS: stack.kafkaBrokers,
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
  };
}

test(
  'the Java SDK signs, retries, pages and consumes events of the running service, and its README, samples and quick start are right',
  async () => {
    const missing = await missingForJavaSdk();
    if (missing !== undefined) {
      console.error(`skipped: the Java SDK, because ${missing}`);
      return;
    }
    const open = () => Tenant.open(testEnvironment());
    const [ofTests, ofReadme, ofSamples, ofGuide] = [await open(), await open(), await open(), await open()];
    const folder = mkdtempSync(join(tmpdir(), 'lending-java-'));
    try {
      const built = await buildJavaSdk(variablesOf(ofTests));
      // The sum of all classes: with a service nothing is skipped.
      expect(built.output).toMatch(/Tests run: (?:[5-9]\d|\d{3,}), Failures: 0, Errors: 0, Skipped: 0$/m);
      expect(built.code).toBe(0);

      const readme = readFileSync(join(javaSdkDir, 'README.md'), 'utf8');
      const [, program = ''] = /```java\n(\/\/ App\.java\n[\s\S]*?)\n```/.exec(readme) ?? [];
      writeFileSync(join(folder, 'App.java'), program);
      const { code, output } = await runJava('App.java', folder, variablesOf(ofReadme));
      expect(output).toMatch(/^[0-9a-f-]{36}\nfrom-app-1\n\{"/);
      expect(code).toBe(0);

      const samples = javaRunner(variablesOf(ofSamples));
      const run = await runSamples(samples, ofSamples.id, javaSample).finally(() => samples.close());
      expect(run).toEqual(Object.keys(examples).sort());

      const java = sampleLanguages.find(({ id }) => id === 'java') as SampleLanguage;
      const guide = javaRunner(variablesOf(ofGuide));
      const paidOff = await runQuickStart(guide, ofGuide.id, java).finally(() => guide.close());
      expect(paidOff).toMatchObject({ loans: [{ discharged: true }] });

      // The samples have issued Loans.
      const stream = await streamPrograms['java']?.(ofSamples.id, folder);
      if (typeof stream !== 'object') throw new Error('the sample of the stream in Java has no program');
      await printedUntilEvent(stream, variablesOf(ofSamples));
    } finally {
      rmSync(folder, { recursive: true });
      await Promise.all([ofTests, ofReadme, ofSamples, ofGuide].map((tenant) => tenant.close()));
    }
  },
  timeoutMs,
);
