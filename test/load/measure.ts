/** So many lines, each sending its next request when the last is answered, for so long. */
import type { Line } from './caller.ts';

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
}

export async function measure({ lines, ms, next }: Load): Promise<Measured> {
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const began = performance.now();
  const until = began + ms;
  await Promise.all(
    lines.map(async (line) => {
      for (let from = performance.now(); from < until; ) {
        const request = next();
        if (request === undefined) return;
        const { status } = await line.send(request);
        const now = performance.now();
        took.push(now - from);
        from = now;
        statuses[status] = (statuses[status] ?? 0) + 1;
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
