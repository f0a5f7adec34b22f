/**
 * OpenTelemetry traces. Spans are recorded only where `startTracing` found a collector; otherwise there is no active span,
 * and the functions below return at once.
 */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Logger } from './logging.ts';

/** The W3C trace context as message headers. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface TracingOptions {
  /** Of the collector; the exporter reads it, and its other settings, from the environment. */
  readonly endpoint: string | undefined;
  /** The share of traces that begin here and are recorded. A caller's decision to record its trace is followed. */
  readonly sample: number;
}

export interface Tracing {
  /** Sends what is recorded. */
  close(): Promise<void>;
}

/** How long a finished span waits for others. */
const exportIntervalMs = 1_000;
/** A collector that does not answer must not delay the end of a process for longer. */
const exportTimeoutMs = 3_000;

/** https://www.w3.org/TR/trace-context/#traceparent-header; the parser of the SDK would take 11 MB in each process. */
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

const tracer = trace.getTracer('lending');
let isStarted = false;

/** The SDK is loaded only here: without a collector it takes neither memory nor time. */
export async function startTracing(
  service: string,
  { endpoint, sample }: TracingOptions,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const [sdk, core, resources, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
  ]);
  core.setGlobalErrorHandler((err) =>
    logger.warn({ event: 'traces.export_failed', err }, 'failed to send traces to the collector; they are dropped'),
  );
  const named = resources.resourceFromAttributes({ 'service.name': `lending-${service}`, 'process.pid': process.pid });
  const exporter = new OTLPTraceExporter({ timeoutMillis: exportTimeoutMs });
  const provider = new sdk.TracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: exportIntervalMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  isStarted = true;
  return { close: () => provider.shutdown().catch(core.globalErrorHandler) };
}

/** Whether spans are recorded in this process. */
export function isTracing(): boolean {
  return isStarted;
}

/** The trace id of a `traceparent` header; undefined where it is absent or malformed. */
export function traceIdIn(traceparent: string | undefined): string | undefined {
  return traceparent === undefined ? undefined : traceparentForm.exec(traceparent)?.[1];
}

/** What headers name as the parent. Malformed headers name none: a new trace begins. */
export function parentIn(headers: { readonly [Name in keyof TraceHeaders]?: string | undefined }): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

export function startSpan(name: string, options: SpanOptions, parent: Context): Span {
  return tracer.startSpan(name, options, parent);
}

/** Below the active span; undefined where nothing is recorded. */
export function startChildSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  return trace.getActiveSpan()?.isRecording() ? tracer.startSpan(name, { kind, attributes }) : undefined;
}

/** Calls `work` with the span as the active one, also for what it does asynchronously. */
export function withSpan<Result>(span: Span, work: () => Result): Result {
  return context.with(below(span), work);
}

/** The context of children of the span. */
export function below(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Ends the span when the work has ended. */
export function endSpanAfter<Result>(span: Span | undefined, work: Promise<Result>): Promise<Result> {
  if (span === undefined) return work;
  return work
    .catch((cause: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(cause) });
      throw cause;
    })
    .finally(() => span.end());
}

/** For messages that continue the trace of the span. Undefined where it is not recorded: then nothing follows. */
export function headersBelow(span: Span | undefined): TraceHeaders | undefined {
  if (!span?.isRecording()) return undefined;
  const headers = {};
  propagation.inject(below(span), headers);
  return headers as TraceHeaders;
}
