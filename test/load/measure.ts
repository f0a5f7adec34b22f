/** So many lines, each sending its next request when the last is answered, for so long. */
import type { Answered, Line } from './caller.ts';

export interface Measured {
  readonly connections: number;
  readonly answered: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly lines: readonly Line[];
  readonly ms: number;
  /** The next request, or undefined where there are no more. */
  readonly next: () => Buffer | undefined;
  readonly seen?: (answered: Answered) => void;
}

export async function measure({ lines, ms, next, seen }: Load): Promise<Measured> {
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const began = performance.now();
  const until = began + ms;
  await Promise.all(
    lines.map(async (line) => {
      for (let from = performance.now(); from < until; ) {
        const request = next();
        if (request === undefined) return;
        const answered = await line.send(request);
        const now = performance.now();
        took.push(now - from);
        from = now;
        statuses[answered.status] = (statuses[answered.status] ?? 0) + 1;
        seen?.(answered);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
  return {
    connections: lines.length,
    answered: took.length,
    perSecond: took.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  };
}
