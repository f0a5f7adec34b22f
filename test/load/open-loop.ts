/**
 * So many requests a second whatever becomes of them, as callers do who know nothing of each other. What is answered late
 * is late from the moment it was to be sent.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Answered, Pipeline } from './pipeline.ts';

export interface Arrivals {
  readonly port: number;
  readonly perSecond: number;
  /** Signed before the clock runs: sent in this order, the last of them ends it. */
  readonly requests: readonly Buffer[];
  readonly seen?: (answered: Answered) => void;
}

export interface Offered {
  readonly perSecond: number;
  /** Of all that were answered with a 2xx, from the first request to the last such answer. */
  readonly takenPerSecond: number;
  /** Of each second in which more was offered by itself. */
  readonly takenBySecond: readonly number[];
  /** Of every 2xx, from the moment its request was to be sent. */
  readonly p50: number;
  readonly p99: number;
  /** Answers by status, with the code of a refusal. */
  readonly answers: Readonly<Record<string, number>>;
  readonly unanswered: number;
}

const lines = 2_048;
const tickMs = 2;
/** Several times patience and the second a verdict is waited for after it: whoever is not answered then never is. */
const answeredWithinMs = 20_000;

export async function offer({ port, perSecond, requests, seen }: Arrivals): Promise<Offered> {
  const opened = await Promise.all(Array.from({ length: lines }, () => Pipeline.open(port)));
  const takenBySecond: number[] = Array.from({ length: Math.round(requests.length / perSecond) }, () => 0);
  const took: number[] = [];
  const answers: Record<string, number> = {};
  const began = performance.now();
  let lastTaken = began;
  // As callers do: a line that waits for an answer is not asked on, as long as there is another.
  const idle = [...opened];
  const send = (request: Buffer, at: number): void => {
    const due = began + (at * 1_000) / perSecond;
    const line = idle.pop() ?? (opened[at % lines] as Pipeline);
    line.send(request, (answered) => {
      if (line.waiting === 0) idle.push(line);
      const now = performance.now();
      const said = named(answered);
      answers[said] = (answers[said] ?? 0) + 1;
      if (isTaken(answered)) {
        took.push(now - due);
        lastTaken = now;
        const second = Math.floor((now - began) / 1_000);
        if (second < takenBySecond.length) takenBySecond[second] = (takenBySecond[second] ?? 0) + 1;
      }
      seen?.(answered);
    });
  };
  for (let sent = 0; sent < requests.length; await pause(tickMs)) {
    const due = Math.min(requests.length, ((performance.now() - began) * perSecond) / 1_000);
    for (; sent < due; sent += 1) send(requests[sent] as Buffer, sent);
  }
  const offeredFor = (performance.now() - began) / 1_000;
  const waiting = (): number => opened.reduce((sum, line) => sum + line.waiting, 0);
  for (const until = performance.now() + answeredWithinMs; waiting() > 0 && performance.now() < until; )
    await pause(20);
  const unanswered = waiting();
  for (const line of opened) line.close();
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  return {
    perSecond: requests.length / offeredFor,
    takenPerSecond: (took.length * 1_000) / (lastTaken - began),
    takenBySecond,
    p50: at(0.5),
    p99: at(0.99),
    answers,
    unanswered,
  };
}

function isTaken({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}

function named(answered: Answered): string {
  const { status, body } = answered;
  return isTaken(answered) ? String(status) : `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`;
}
