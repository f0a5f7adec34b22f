import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Slots } from './slot-map.ts';

test('what is put and not cleared is there, once each, in no more slots than were ever taken at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 80 }), (story) => {
      const slots = new Slots<number>();
      const held = new Map<number, number>();
      let most = 0;
      story.forEach((choice, item) => {
        const slot = [...held.keys()][choice];
        if (slot === undefined) {
          const taken = slots.put(item);
          expect(held.has(taken)).toBe(false);
          held.set(taken, item);
          most = Math.max(most, held.size);
          expect(taken).toBeLessThan(most);
        } else {
          slots.clear(slot);
          held.delete(slot);
        }
        expect([...slots.all()].toSorted()).toEqual([...held.values()].toSorted());
      });
    }),
  );
});
