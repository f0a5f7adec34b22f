/** Runs the tests of the Java SDK with the running service, its README, the samples in Java and the quick start with them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type SampleLanguage, sampleLanguages } from '#libs/site/samples/languages.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { codeBlock } from '#test/documentation/code-blocks.ts';
import { recordRun, recordSample, skipWithout } from '#test/documentation/executed-code.ts';
import { javaRunner, runQuickStart, runSamples } from '#test/documentation/sample-runners.ts';
import { consumerCode, printedUntilEvent, streamPrograms } from '#test/documentation/stream-samples.ts';
import { callerEnvironment } from '#test/support/cli-process.ts';
import { buildJavaSdk, javaTopicClassPath, missingForJavaSdk, runJava } from '#test/support/java-sdk.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

// The first run downloads JUnit and the plugins of Maven; javac is slow on a busy machine.
const timeoutMs = 900_000;

function variablesOf(tenant: Tenant): Readonly<Record<string, string>> {
  const { stack } = testEnvironment();
  return {
    ...callerEnvironment(tenant),
    KAFKA_BROKERS: stack.kafkaBrokers,
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
  };
}

const readme = 'libs/sdk-java/README.md';
const [eventsGuide, idempotencyGuide] = ['docs/guide/events.md', 'docs/guide/idempotency.md'];

/** The blocks of the README and of the guides, with what they take from the program around them. */
function readmeCodes(): readonly string[] {
  const given = `${codeBlock(readme, 'import java.time')}
Lending lending = new Lending();
Shapes.ReceiptToReport receipt = new Shapes.ReceiptToReport().withReference("readme-1").withClientId("ada")
    .withAmount(Amounts.toMoney("1.00", "MXN")).withValueDate(LocalDate.of(2026, 2, 16));
class Store {
  String cursor() { return null; }
  void write(List<Shapes.FeedEvent> events, String cursor) { throw new UnsupportedOperationException(); }
}
Store store = new Store();
`;
  const block = (beginning: string): string => codeBlock(readme, beginning);
  const batch = block('for (ReportedReceipt').replace('readReceiptsFromSomewhere()', 'List.of(receipt)');
  return [
    block('lending.listLoans'),
    block('Shapes.ReceiptToReport paid').replace('"rosa"', '"ada"'),
    batch,
    codeBlock(idempotencyGuide, 'try {').replace('keepForLater(receipt)', 'throw failed'),
    // The stream has no end but that of the store.
    ...[readme, eventsGuide].map(
      (file) => `try { ${codeBlock(file, 'try (EventStream')} } catch (UnsupportedOperationException written) { }`,
    ),
  ].map((code) => `${given}${code}\nSystem.out.println("\\"done\\"");`);
}

/** The consumers of topics in the README, as programs that print what they take. */
function consumerPrograms(folder: string) {
  const given = `${codeBlock(readme, 'import java.time')}
import lending.events.*;
class Consumer {
  static class Store {
    Map<Integer, Position> positionsOf(Set<Integer> partitions) { return Map.of(); }
    void take(Batch<BookEvent> batch) {
      for (BookEvent event : batch.records()) if (event.kind().equals("issued")) System.out.println(new Consumer().firstDue(event));
    }
    void keep(List<?> lines, Batch<?> batch) { lines.forEach(System.out::println); }
  }
  static Store store = new Store();
  ${codeBlock(readme, 'String firstDue')}
`;
  const facts = consumerCode(readme, 'TopicConsumer');
  const movements = facts.replace('ofBookEvents', 'ofMovements').replace('store::take', 'new Consumer()::take');
  const take = codeBlock(readme, 'record Owed');
  return [
    {
      name: 'facts',
      code: `public static void main(String[] arguments) throws Exception { ${facts} }`,
      printed: /^\d+ MXN, first due on \d{4}-\d\d-\d\d$/m,
    },
    {
      name: 'movements',
      code: `${take} public static void main(String[] arguments) throws Exception { ${movements} }`,
      printed: /^Owed\[loanId=\S+, day=\d{4}-\d\d-\d\d, minorUnits=-?\d+\]$/m,
    },
  ].map(({ name, code, printed }) => {
    const file = join(folder, name, 'Consumer.java');
    mkdirSync(join(folder, name));
    writeFileSync(file, `${given}${code}}`);
    return { program: { command: 'java', args: ['-cp', javaTopicClassPath(), file] }, printed };
  });
}

test(
  'the Java SDK signs, retries, pages and consumes events of the running service, and its README, samples and quick start are right',
  async () => {
    const missing = await missingForJavaSdk();
    if (missing !== undefined) return skipWithout('the Java SDK', missing, { languages: ['java'] });
    const open = () => Tenant.open(testEnvironment());
    const [ofTests, ofReadme, ofSamples, ofGuide] = [await open(), await open(), await open(), await open()];
    const folder = mkdtempSync(join(tmpdir(), 'lending-java-'));
    try {
      const built = await buildJavaSdk(variablesOf(ofTests));
      // The sum of all classes: with a service nothing is skipped.
      expect(built.output).toMatch(/Tests run: (?:[5-9]\d|\d{3,}), Failures: 0, Errors: 0, Skipped: 0$/m);
      expect(built.code).toBe(0);

      writeFileSync(join(folder, 'App.java'), codeBlock(readme, '// App.java'));
      const { code, output } = await runJava('App.java', folder, variablesOf(ofReadme));
      expect(output).toMatch(/^[0-9a-f-]{36}\nfrom-app-1\n\{"/);
      expect(code).toBe(0);
      recordRun(readme, '// App.java');

      const java = sampleLanguages.find(({ id }) => id === 'java') as SampleLanguage;
      const samples = javaRunner(variablesOf(ofSamples));
      const run = await runSamples(samples, ofSamples.id, java).finally(() => samples.close());
      expect(run).toEqual(Object.keys(examples).sort());

      // The samples have registered ada and issued Loans to her.
      const blocks = javaRunner(variablesOf(ofSamples));
      for (const code of readmeCodes()) expect((await blocks.run(code)).body).toBe('done');
      blocks.close();
      recordRun(readme, 'import java.time', 'lending.listLoans', 'Shapes.ReceiptToReport paid', 'for (ReportedReceipt');
      for (const file of [readme, eventsGuide]) recordRun(file, 'try (EventStream');
      recordRun(idempotencyGuide, 'try {');

      const guide = javaRunner(variablesOf(ofGuide));
      const paidOff = await runQuickStart(guide, ofGuide.id, java).finally(() => guide.close());
      expect(paidOff).toMatchObject({ loans: [{ discharged: true }] });

      const stream = await streamPrograms['java']?.(ofSamples.id, folder);
      if (typeof stream !== 'object') throw new Error('the sample of the stream in Java has no program');
      await printedUntilEvent(stream, variablesOf(ofSamples));
      recordSample('streamFeed', 'java');
      for (const { program, printed } of consumerPrograms(folder)) await printedUntilEvent(program, {}, printed);
      recordRun(readme, 'TopicConsumer', 'String firstDue', 'record Owed');
    } finally {
      rmSync(folder, { recursive: true });
      await Promise.all([ofTests, ofReadme, ofSamples, ofGuide].map((tenant) => tenant.close()));
    }
  },
  timeoutMs,
);
