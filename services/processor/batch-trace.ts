/**
 * The spans of a batch and of its events. They are made when the work has succeeded, from times taken on the way: what is
 * not traced costs nothing, and what is repeated is recorded once.
 */
import { type Attributes, type Link, type Span, SpanKind } from '@opentelemetry/api';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { topics } from '#libs/kafka/topics.ts';
import { below, headersBelow, isTracing, parentIn, startSpan, type TraceHeaders } from '#libs/runtime/tracing.ts';
import type { DecidedBatch } from './in-flight-batch.ts';
import { type DecodedEntry, isDecoded, type LogEntry } from './log-entry.ts';

type TracedEntry = DecodedEntry & { readonly source: { readonly trace: TraceHeaders } };

/** By event as it waits in memory. An event that is read back from Postgres continues no trace. */
const eventTraces = new WeakMap<BookEvent<number>, TraceHeaders>();

export function traceOfEvent(event: BookEvent<number>): TraceHeaders | undefined {
  return eventTraces.get(event);
}

/** Call it after the commit. `events` are those of the decision, in the same order. */
export function recordBatchSpans(
  { entries, decision, deciding }: DecidedBatch,
  events: readonly BookEvent<number>[],
  committingSince: number,
): void {
  if (!isTracing()) return;
  const traced = entries.filter(isTraced);
  if (traced.length === 0) return;
  const spans = new Map(traced.map((entry) => [entry.record, startProcessSpan(entry, deciding.from)]));
  // Once per batch, in the trace of its first submission, with links to the others.
  const [first] = spans.values();
  const links = [...spans.values()].map((span) => ({ context: span.spanContext() }));
  const attributes = { 'lending.batch.entries': entries.length, 'lending.batch.facts': decision.facts.length };
  recordSpan('decide batch', first as Span, { from: deciding.from, to: deciding.to, attributes, links });
  const committed = { ...attributes, 'db.system.name': 'postgresql', 'db.operation.name': 'commit_batch' };
  recordSpan('commit batch', first as Span, { from: committingSince, attributes: committed, links });
  passOn(spans, decision.events, events);
  for (const span of spans.values()) span.end();
}

/** Call it when Kafka has confirmed the batch whose events have these traces, each at its index. */
export function recordPublishSpans(
  traces: ReadonlyMap<TraceHeaders, number>,
  { from, partition, firstOffset }: { readonly from: number; readonly partition: number; readonly firstOffset: number },
): void {
  for (const [trace, index] of traces) {
    const attributes = messagingAttributes(topics.bookEvents, partition, firstOffset + index);
    const options = { kind: SpanKind.PRODUCER, startTime: from, attributes };
    startSpan(`publish ${topics.bookEvents}`, options, parentIn(trace)).end();
  }
}

function isTraced(entry: LogEntry): entry is TracedEntry {
  return isDecoded(entry) && entry.source.trace !== undefined;
}

function startProcessSpan({ partition, offset, record, source }: TracedEntry, startTime: number): Span {
  const attributes = {
    ...messagingAttributes(topics.submissions, partition, offset),
    'lending.request_id': record.request_id,
    'lending.tenant_id': record.tenant_id,
  };
  const options = { kind: SpanKind.CONSUMER, startTime, attributes };
  return startSpan(`process ${topics.submissions}`, options, parentIn(source.trace));
}

interface FinishedWork {
  /** By `performance.now()`. */
  readonly from: number;
  /** Now, where it is left out. */
  readonly to?: number;
  readonly attributes: Attributes;
  readonly links: Link[];
}

function recordSpan(name: string, parent: Span, { from, to, attributes, links }: FinishedWork): void {
  startSpan(name, { startTime: from, attributes, links }, below(parent)).end(to);
}

function passOn(
  spans: ReadonlyMap<SubmissionRecord, Span>,
  decided: readonly { readonly record: SubmissionRecord }[],
  events: readonly BookEvent<number>[],
): void {
  // One object per span, by which the publisher recognises events of the same request.
  const headers = new Map([...spans].map(([record, span]) => [record, headersBelow(span)]));
  for (const [index, event] of events.entries()) {
    const trace = headers.get((decided[index] as { readonly record: SubmissionRecord }).record);
    if (trace !== undefined) eventTraces.set(event, trace);
  }
}

function messagingAttributes(topic: string, partition: number, offset: number): Attributes {
  return {
    'messaging.system': 'kafka',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.kafka.offset': offset,
  };
}
