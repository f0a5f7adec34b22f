/** One signed write is one trace, from the caller's traceparent to the published event; without its collector nothing fails. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly service: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly links: readonly string[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly spanId: string }[];
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector that keeps what it receives. */
class Collector {
  readonly spans: Span[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.#add(JSON.parse(await text(request)) as OtlpRequest);
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  }

  static async open(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  of(traceId: string): Span[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  #add({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = attributesOf(resource.attributes).get('service.name') ?? '';
      for (const { attributes, links = [], ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          ...span,
          service,
          attributes: attributesOf(attributes),
          links: links.map(({ spanId }) => spanId),
        });
      }
    }
  }
}

function attributesOf(attributes: readonly OtlpAttribute[]): Map<string, string> {
  return new Map(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]));
}

let environment: TestEnvironment;
let collector: Collector;
let gateway: ServiceProcess;
let processor: ServiceProcess;
let tenant: Tenant;
beforeAll(async () => {
  environment = testEnvironment();
  collector = await Collector.open();
  const env = {
    ...serviceEnvironment(environment.stack),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TRACE_SAMPLE: '0',
  };
  [gateway, processor] = await Promise.all([
    ServiceProcess.start('gateway', env),
    ServiceProcess.start('processor', env),
  ]);
  await Promise.all([gateway.waitUntilReady(), processor.waitUntilReady()]);
  tenant = (await Tenant.open(environment)).at(gateway.baseUrl);
});
afterAll(async () => {
  // Not killed: a killed processor owns its partitions until its session ends.
  await Promise.all([gateway.stop(), processor.stop()]);
  collector.close();
  await tenant.close();
});

async function writeTraced(flags = '01'): Promise<{ readonly traceId: string; readonly spanId: string }> {
  const caller = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
  const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-${flags}` };
  const client = `c-${randomUUID().slice(0, 8)}`;
  await tenant.put(`/clients/${client}`, { actor: 'teller', basis: 'walked in' }, { headers });
  return caller;
}

/** The spans of a write to a partition that the traced processor owns: the other processor records nothing. */
async function completeTrace(): Promise<{ readonly caller: { spanId: string }; readonly spans: readonly Span[] }> {
  const callers: { readonly traceId: string; readonly spanId: string }[] = [];
  const find = () =>
    callers.find(({ traceId }) => collector.of(traceId).some(({ name }) => name === `publish ${topics.bookEvents}`));
  await eventually(async () => {
    if (callers.length < 200) callers.push(await writeTraced());
    return find() !== undefined;
  });
  const caller = find() as { readonly traceId: string; readonly spanId: string };
  await eventually(() => collector.of(caller.traceId).some(({ name }) => name.startsWith('PUT ')));
  return { caller, spans: collector.of(caller.traceId) };
}

/** The headers of one record. */
async function headersOfRecord(topic: string, partition: number, offset: number): Promise<Record<string, string>> {
  const consumer = connectKafka(environment.stack.kafkaBrokers, 'traces-test', silentLogger).consumer({
    groupId: `traces-${randomUUID()}`,
    maxWaitTimeInMs: 100,
  });
  const found = Promise.withResolvers<Record<string, string>>();
  try {
    await consumer.connect();
    await consumer.subscribe({ topic });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition: from, message }) => {
        if (from !== partition || Number(message.offset) !== offset) return;
        found.resolve(
          Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)])),
        );
      },
    });
    consumer.seek({ topic, partition, offset: String(offset) });
    return await found.promise;
  } finally {
    await consumer.disconnect();
  }
}

test('a write is one trace: request, append, processing, commit and publication', async () => {
  const { caller, spans } = await completeTrace();
  const named = (name: string): Span => spans.find((span) => span.name === name) as Span;
  const request = named('PUT /v1/tenants/{tenant_id}/clients/{client_id}');
  const append = named(`append ${topics.submissions}`);
  const processing = named(`process ${topics.submissions}`);
  const publication = named(`publish ${topics.bookEvents}`);

  expect(spans.map(({ name, service }) => `${service}: ${name}`).sort()).toEqual(
    [
      `lending-gateway: ${request.name}`,
      `lending-gateway: ${append.name}`,
      'lending-processor: commit batch',
      'lending-processor: decide batch',
      `lending-processor: ${processing.name}`,
      `lending-processor: ${publication.name}`,
    ].sort(),
  );
  expect(request.parentSpanId).toBe(caller.spanId);
  expect(append.parentSpanId).toBe(request.spanId);
  expect(processing.parentSpanId).toBe(append.spanId);
  expect(publication.parentSpanId).toBe(processing.spanId);
  for (const name of ['decide batch', 'commit batch']) {
    expect(named(name)).toMatchObject({ parentSpanId: processing.spanId, links: [processing.spanId] });
  }
  expect(Object.fromEntries(request.attributes)).toMatchObject({
    'http.response.status_code': '201',
    'lending.tenant_id': tenant.id,
    'lending.request_id': processing.attributes.get('lending.request_id'),
  });
});

test('the published event carries the trace to its consumers', async () => {
  const { spans } = await completeTrace();
  const publication = spans.find(({ name }) => name === `publish ${topics.bookEvents}`) as Span;
  const { attributes, traceId, parentSpanId } = publication;

  const headers = await headersOfRecord(
    topics.bookEvents,
    Number(attributes.get('messaging.destination.partition.id')),
    Number(attributes.get('messaging.kafka.offset')),
  );

  expect(headers['traceparent']).toBe(`00-${traceId}-${parentSpanId}-01`);
});

test('nothing is recorded where the caller does not record its trace, of unknown senders, or without a traceparent', async () => {
  const unrecorded = await writeTraced('00');
  const unknown = { traceId: randomBytes(16).toString('hex') };
  const target = `${gateway.baseUrl}/v1/tenants/${tenant.id}/bounds`;
  await fetch(target, { headers: { traceparent: `00-${unknown.traceId}-00f067aa0ba902b7-01` } });
  await tenant.get('/bounds');
  const later = await completeTrace();

  expect(later.spans.length).toBeGreaterThan(0);
  expect([unrecorded, unknown].flatMap(({ traceId }) => collector.of(traceId))).toEqual([]);
  expect(collector.spans.filter(({ name }) => name.endsWith('/bounds'))).toEqual([]);
});

test('a collector that is away fails no request', async () => {
  collector.close();
  const headers = { traceparent: `00-${randomBytes(16).toString('hex')}-00f067aa0ba902b7-01` };

  for (let count = 0; count < 20; count += 1) {
    expect((await tenant.get('/bounds', { headers })).status).toBe(200);
  }
});
