/**
 * What is there for a moment, each in a slot that the next takes over. A set or map through which much passes leaves
 * its outgrown tables behind, each holding what it held and the table after it: the young collections then keep all of
 * it, until an old one comes.
 */
export class Slots<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  put(item: Item): number {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return slot;
  }

  clear(slot: number): void {
    this.#items[slot] = undefined;
    this.#free.push(slot);
  }

  *all(): Iterable<Item> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
