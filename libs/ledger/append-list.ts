/**
 * A list that only grows, as a value: `grown(list, item)` shares what stands already, so that one more costs the same
 * however many there are. Where another value grew from the same list first, the later one copies.
 */
export type GrownList<Item> = { readonly items: readonly Item[]; readonly length: number };

export function emptyList<Item>(): GrownList<Item> {
  return { items: [], length: 0 };
}

export function listOf<Item>(items: readonly Item[]): GrownList<Item> {
  return { items, length: items.length };
}

/** A list whose items are put together when one of them is looked at. */
class ListLater<Item> implements GrownList<Item> {
  readonly length: number;
  #find: (() => readonly Item[]) | undefined;
  #found: readonly Item[] = [];

  constructor(length: number, find: () => readonly Item[]) {
    this.length = length;
    this.#find = find;
  }

  get items(): readonly Item[] {
    if (this.#find === undefined) return this.#found;
    const found = this.#find();
    if (found.length !== this.length) throw new Error(`${found.length} items where ${this.length} were told of`);
    this.#found = found;
    this.#find = undefined;
    return found;
  }
}

export function listLater<Item>(length: number, find: () => readonly Item[]): GrownList<Item> {
  return new ListLater(length, find);
}

/** Each item there gives its place to one that nobody could tell from it; a list not put together yet is left so. */
export function replaceAlike<Item>(list: GrownList<Item>, alike: (item: Item) => Item): void {
  if (list instanceof ListLater) return;
  const items = list.items as Item[];
  for (let at = 0; at < list.length; at += 1) items[at] = alike(items[at] as Item);
}

export function grown<Item>(list: GrownList<Item>, item: Item): GrownList<Item> {
  const shared = list.items.length === list.length ? (list.items as Item[]) : list.items.slice(0, list.length);
  shared.push(item);
  return { items: shared, length: list.length + 1 };
}

/** Takes back what was grown past `length`, where nobody keeps it. */
export function shrink<Item>(items: readonly Item[], length: number): void {
  (items as Item[]).length = length;
}

export function itemAt<Item>(list: GrownList<Item>, at: number): Item {
  if (at < 0 || at >= list.length) throw new RangeError(`no item ${at} in a list of ${list.length}`);
  return list.items[at] as Item;
}
