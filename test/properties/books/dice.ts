/** A small seeded generator of choices: the same seed throws the same book on every machine. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** mulberry32: a number in [0, 1). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(0, from.length - 1)] as T;
  }

  /** One of the values, each as likely as its weight says. */
  weighted<T>(from: readonly (readonly [number, T])[]): T {
    let left = this.next() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return (from.at(-1) as readonly [number, T])[1];
  }

  shuffled<T>(from: readonly T[]): T[] {
    const all = [...from];
    for (let i = all.length - 1; i > 0; i -= 1) {
      const j = this.whole(0, i);
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
    return all;
  }
}
