/**
 * A list that only grows, as an immutable value. `append(list, item)` shares the items with the list it grew from, so
 * that appending costs the same at any length. Where another list grew from the same one first, it copies.
 */
export type AppendList<Item> = { readonly items: readonly Item[]; readonly length: number };

export function emptyList<Item>(): AppendList<Item> {
  return { items: [], length: 0 };
}

export function listOf<Item>(items: readonly Item[]): AppendList<Item> {
  return { items, length: items.length };
}

/** A list whose items are computed when one of them is read first. */
export function lazyList<Item>(length: number, compute: () => readonly Item[]): AppendList<Item> {
  return new LazyList(length, compute);
}

class LazyList<Item> implements AppendList<Item> {
  readonly length: number;
  #compute: (() => readonly Item[]) | undefined;
  #items: readonly Item[] = [];

  constructor(length: number, compute: () => readonly Item[]) {
    this.length = length;
    this.#compute = compute;
  }

  get items(): readonly Item[] {
    if (this.#compute === undefined) return this.#items;
    const items = this.#compute();
    if (items.length !== this.length) throw new Error(`a lazy list has ${items.length} items, expected ${this.length}`);
    this.#items = items;
    this.#compute = undefined;
    return items;
  }
}

export function append<Item>(list: AppendList<Item>, item: Item): AppendList<Item> {
  const shared = list.items.length === list.length ? (list.items as Item[]) : list.items.slice(0, list.length);
  shared.push(item);
  return { items: shared, length: list.length + 1 };
}

/** Replaces items by equivalent ones, in every list that shares them. A lazy list stays as it is. */
export function replaceEquivalent<Item>(list: AppendList<Item>, equivalentOf: (item: Item) => Item): void {
  if (list instanceof LazyList) return;
  const items = list.items as Item[];
  for (let at = 0; at < list.length; at += 1) items[at] = equivalentOf(items[at] as Item);
}

/** Removes what was appended after the first `length` items. Only for a list that nothing else references. */
export function truncate<Item>(items: readonly Item[], length: number): void {
  (items as Item[]).length = length;
}

export function itemAt<Item>(list: AppendList<Item>, at: number): Item {
  if (at < 0 || at >= list.length) throw new RangeError(`no item ${at} in a list of ${list.length}`);
  return list.items[at] as Item;
}
