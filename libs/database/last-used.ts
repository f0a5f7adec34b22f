/**
 * Things by name, in the order they were last asked for, each with what it weighs. Being asked for moves nothing but two links: a map that is
 * deleted from and added to with every question leaves its outgrown tables, and all they held, to the collector.
 */
export class LastUsed<Item> {
  readonly #places = new Map<string, Place<Item>>();
  #oldest: Place<Item> | undefined;
  #newest: Place<Item> | undefined;
  #weight = 0;

  get size(): number {
    return this.#places.size;
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Without being used by it. */
  peek(name: string): Item | undefined {
    return this.#places.get(name)?.item;
  }

  use(name: string): Item | undefined {
    const place = this.#places.get(name);
    if (place === undefined) return undefined;
    this.#toNewest(place);
    return place.item as Item;
  }

  put(name: string, item: Item, weight = 1): void {
    const held = this.#places.get(name);
    this.#weight += weight - (held?.weight ?? 0);
    if (held !== undefined) {
      held.item = item;
      held.weight = weight;
      this.#toNewest(held);
      return;
    }
    const place: Place<Item> = { name, item, weight, older: undefined, newer: undefined };
    this.#places.set(name, place);
    this.#append(place);
  }

  remove(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    this.#places.delete(name);
    this.#weight -= place.weight;
    this.#unlink(place);
    // A table the map has outgrown holds the place for a while, and nothing by it.
    place.item = undefined;
  }

  /** What was used longest ago goes, until all weighs no more; what was used last is needed next, whatever it weighs. */
  shrinkTo(most: number): void {
    for (let { oldest } = this; oldest !== undefined && this.size > 1 && this.#weight > most; { oldest } = this) {
      this.remove(oldest);
    }
  }

  /** The name of what was used longest ago. */
  get oldest(): string | undefined {
    return this.#oldest?.name;
  }

  *[Symbol.iterator](): Iterator<readonly [string, Item]> {
    for (const [name, { item }] of this.#places) yield [name, item as Item];
  }

  #toNewest(place: Place<Item>): void {
    if (place === this.#newest) return;
    this.#unlink(place);
    this.#append(place);
  }

  #append(place: Place<Item>): void {
    place.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = place;
    else this.#newest.newer = place;
    this.#newest = place;
  }

  #unlink(place: Place<Item>): void {
    const { older, newer } = place;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    // What is gone points at nothing that stays.
    place.older = undefined;
    place.newer = undefined;
  }
}

interface Place<Item> {
  readonly name: string;
  item: Item | undefined;
  weight: number;
  older: Place<Item> | undefined;
  newer: Place<Item> | undefined;
}
