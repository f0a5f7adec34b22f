/**
 * A collection for short-lived items: each takes a slot that the next one reuses. A Set through which many items pass
 * keeps outgrown tables that hold garbage until a full collection.
 */
export class SlotMap<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #freeSlots: number[] = [];

  /** Returns the slot with which the item is removed. */
  add(item: Item): number {
    const slot = this.#freeSlots.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return slot;
  }

  remove(slot: number): void {
    this.#items[slot] = undefined;
    this.#freeSlots.push(slot);
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
