import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LastUsed } from './last-used.ts';

/** The same by a list that is searched from one end to the other. */
class Plain {
  entries: [string, number][] = [];

  use(name: string): number | undefined {
    const found = this.entries.find(([each]) => each === name);
    if (found !== undefined) this.entries = [...this.entries.filter((each) => each !== found), found];
    return found?.[1];
  }

  put(name: string, item: number): void {
    this.remove(name);
    this.entries.push([name, item]);
  }

  remove(name: string): void {
    this.entries = this.entries.filter(([each]) => each !== name);
  }
}

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const acts = fc.oneof(
  fc.record({ act: fc.constant('use' as const), name: names }),
  fc.record({ act: fc.constant('remove' as const), name: names }),
  fc.record({ act: fc.constant('put' as const), name: names, item: fc.nat() }),
  fc.record({ act: fc.constant('evict' as const) }),
);

test('what was used longest ago is the oldest, whatever was used, put, replaced and removed', () => {
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 60 }), (story) => {
      const kept = new LastUsed<number>();
      const plain = new Plain();
      for (const step of story) {
        if (step.act === 'use') expect(kept.use(step.name)).toBe(plain.use(step.name));
        else if (step.act === 'put') {
          kept.put(step.name, step.item);
          plain.put(step.name, step.item);
        } else {
          const name = step.act === 'remove' ? step.name : kept.oldest;
          if (name !== undefined) {
            kept.remove(name);
            plain.remove(name);
          }
        }
        expect(kept.oldest).toBe(plain.entries[0]?.[0]);
        expect(kept.size).toBe(plain.entries.length);
        expect(new Map(kept)).toEqual(new Map(plain.entries));
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          expect(kept.has(name)).toBe(kept.peek(name) !== undefined);
          expect(kept.peek(name)).toBe(plain.entries.find(([each]) => each === name)?.[1]);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what was used longest ago goes until the rest weighs no more than told, and the last of all stays', () => {
  const entries = fc.array(fc.record({ name: names, item: fc.nat(), weight: fc.nat(20) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(entries, fc.nat(60), (puts, most) => {
      const kept = new LastUsed<number>();
      const weights = new Map<string, number>();
      const plain = new Plain();
      for (const { name, item, weight } of puts) {
        kept.put(name, item, weight);
        plain.put(name, item);
        weights.set(name, weight);
      }
      const weigh = (): number => plain.entries.reduce((sum, [name]) => sum + (weights.get(name) as number), 0);
      while (plain.entries.length > 1 && weigh() > most) plain.entries.shift();
      kept.shrinkTo(most);
      expect(new Map(kept)).toEqual(new Map(plain.entries));
    }),
    { numRuns: 300 },
  );
});
