import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SlotMap } from './slot-map.ts';

test('holds each added item until it is removed, in no more slots than were used at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 80 }), (choices) => {
      const slots = new SlotMap<number>();
      const expected = new Map<number, number>();
      let maxUsed = 0;
      choices.forEach((choice, item) => {
        const slot = [...expected.keys()][choice];
        if (slot === undefined) {
          const added = slots.add(item);
          expect(expected.has(added)).toBe(false);
          expected.set(added, item);
          maxUsed = Math.max(maxUsed, expected.size);
          expect(added).toBeLessThan(maxUsed);
        } else {
          slots.remove(slot);
          expected.delete(slot);
        }
        expect([...slots].toSorted()).toEqual([...expected.values()].toSorted());
      });
    }),
  );
});
