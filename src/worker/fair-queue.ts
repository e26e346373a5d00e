// A queue with a lane for each workspace, served in turn, however much waits in one.

export class FairQueue<T> {
  /** In the order of their turns, none empty. Sets: an item is in its lane once, and leaves its front cheaply. */
  readonly #lanes = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get lanes(): number {
    return this.#lanes.size;
  }

  /** An item already there keeps its place. */
  add(lane: string, item: T): void {
    const items = this.#lanes.get(lane) ?? new Set();
    this.#lanes.set(lane, items);
    this.#size -= items.size;
    items.add(item);
    this.#size += items.size;
  }

  /** Puts items that were taken back to the front of their lane. */
  putBack(lane: string, items: Iterable<T>): void {
    const before = this.#lanes.get(lane);
    const all = new Set([...items, ...(before ?? [])]);
    this.#size += all.size - (before?.size ?? 0);
    if (all.size > 0) this.#lanes.set(lane, all);
  }

  /**
   * Takes at most max: the first of each lane, then the second of each. Lanes served are last next time.
   * @param roomOf Asked once per lane, with its number of items.
   */
  take(max: number, roomOf: (lane: string, items: number) => number = () => max): [lane: string, item: T][] {
    const taken: [string, T][] = [];
    let lanes = [...this.#lanes].map(([lane, items]) => ({ lane, items, room: roomOf(lane, items.size) }));
    while (taken.length < max) {
      lanes = lanes.filter(({ items, room }) => room > 0 && items.size > 0);
      if (lanes.length === 0) break;
      for (const one of lanes.slice(0, max - taken.length)) {
        const { lane, items } = one;
        const [item] = items as Set<T> & [T];
        one.room -= 1;
        items.delete(item);
        this.#size -= 1;
        this.#lanes.delete(lane);
        if (items.size > 0) this.#lanes.set(lane, items);
        taken.push([lane, item]);
      }
    }
    return taken;
  }
}
