// Shares a limited number of places between workspaces in turn: the database connections of pages, exports and readers, and the requests that
// wait for events. Even if much of one workspace is slow, it takes only its share.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ClientGoneError, NotReadyError } from '../errors.ts';

/** How many of one group may wait. Further ones fail at once, and the client is told to try again. */
const MAX_WAITING = 500;

export interface Asker {
  /** The group that takes turns: a workspace, or what is known instead, such as a survey or a session. */
  readonly group: string;
  isGone(): boolean;
}

const NOBODY: Asker = { group: '', isGone: () => false };
const askers = new AsyncLocalStorage<Asker>();

/** Runs `work`. The calls that it makes belong to this asker. */
export const askAs = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** The current asker, for work that continues elsewhere, such as a download. */
export const presentAsker = (): Asker => askers.getStore() ?? NOBODY;

interface Waiting {
  readonly asker: Asker;
  start(error?: Error): void;
}

interface Group {
  held: number;
  /** Milliseconds for which it held a second place, less those for which it held none. */
  owed: number;
  /** When `owed` was computed. */
  at: number;
  readonly waiting: Waiting[];
}

export interface Shares {
  readonly places: number;
  /** The most that one group takes. If it is less than all, the last free place is for a group that has none. */
  readonly perGroup: number;
  /** How many of one group may wait. */
  readonly waiting?: number;
  /**
   * Milliseconds for which a group may hold a second place. Then it has one at a time, until it has held none for as long: so pages that each take
   * seconds don't keep two processors busy, while quick ones run beside each other.
   */
  readonly burst?: number;
}

/** What one workspace takes at most, with its test workspaces. SECURITY.md has the same numbers. */
export const SHARES = {
  /** Connections for the console's pages. */
  pages: { places: 4, perGroup: 2, burst: 2_000 },
  /** Exports that are being sent. */
  exports: { places: 100, perGroup: 4 },
  /** Lists of people that are being uploaded. */
  uploads: { places: 20, perGroup: 2, waiting: 10 },
  /** Requests that wait for events. */
  polls: { places: 500, perGroup: 50 },
  /** Requests that wait for the clock of a test workspace, which looks at the database again and again. */
  advances: { places: 40, perGroup: 4 },
} as const satisfies Record<string, Shares>;

/**
 * Groups that wait take turns. The group that holds the fewest places comes first. With 4 places and 2 per group, a workspace that opens ten
 * slow pages computes two of them, and another workspace's page starts at once.
 */
export class Turns {
  readonly #shares: Shares;
  readonly #now: () => number;
  /** In the order of their turns. A group moves to the end after its turn. */
  readonly #groups = new Map<string, Group>();
  #held = 0;

  /** @param now Milliseconds of a clock that only goes forward. */
  constructor(shares: Shares, now = () => performance.now()) {
    this.#shares = shares;
    this.#now = now;
  }

  /**
   * Waits for a place, and returns the function that leaves it.
   * @throws {ClientGoneError} The client disconnected before it was its turn.
   * @throws {NotReadyError} Too many of the group are waiting.
   */
  async enter(asker = presentAsker()): Promise<() => void> {
    const group = this.#group(asker.group);
    if (group.waiting.length >= (this.#shares.waiting ?? MAX_WAITING))
      throw new NotReadyError('too many requests of one workspace are waiting for the database');
    await new Promise<void>((resolve, reject) => {
      group.waiting.push({ asker, start: (error) => (error === undefined ? resolve() : reject(error)) });
      this.#startNext();
    });
    return () => this.#leave(asker.group, group);
  }

  /** Takes a place if the group may have one now, and returns the function that leaves it. */
  tryEnter(name: string): (() => void) | undefined {
    const group = this.#group(name);
    if (!this.#mayStart(group)) {
      this.#forget(name, group);
      return undefined;
    }
    this.#take(name, group);
    return () => this.#leave(name, group);
  }

  #group(name: string): Group {
    const group = this.#groups.get(name) ?? { held: 0, owed: 0, at: this.#now(), waiting: [] };
    this.#groups.set(name, group);
    return group;
  }

  #mayStart(group: Group): boolean {
    const { places, perGroup, burst = Number.POSITIVE_INFINITY } = this.#shares;
    const kept = perGroup < places && group.held > 0 ? 1 : 0;
    const most = group.held > 0 && this.#owed(group) > burst ? 1 : perGroup;
    return group.held < most && this.#held + kept < places;
  }

  #owed = ({ owed, at, held }: Group): number => Math.max(0, owed + (held - 1) * (this.#now() - at));

  #hold(group: Group, places: 1 | -1): void {
    group.owed = this.#owed(group);
    group.at = this.#now();
    group.held += places;
    this.#held += places;
  }

  #take(name: string, group: Group): void {
    this.#groups.delete(name);
    this.#groups.set(name, group);
    this.#hold(group, 1);
  }

  #leave(name: string, group: Group): void {
    this.#hold(group, -1);
    this.#forget(name, group);
    this.#startNext();
  }

  #forget(name: string, { held, waiting }: Group): void {
    if (held === 0 && waiting.length === 0) this.#groups.delete(name);
  }

  /** Of the groups that hold equally few places, the one whose last turn is longest ago comes first. */
  #nextGroup(): [name: string, group: Group] | undefined {
    let next: [string, Group] | undefined;
    for (const [name, group] of this.#groups) {
      if (group.waiting.length === 0 || !this.#mayStart(group)) continue;
      if (group.held === 0) return [name, group];
      if (group.held < (next?.[1].held ?? Number.POSITIVE_INFINITY)) next = [name, group];
    }
    return next;
  }

  #startNext(): void {
    for (;;) {
      const [name, group] = this.#nextGroup() ?? [];
      const next = group?.waiting.shift();
      if (name === undefined || group === undefined || next === undefined) return;
      if (next.asker.isGone()) {
        next.start(new ClientGoneError());
        this.#forget(name, group);
      } else {
        this.#take(name, group);
        next.start();
      }
    }
  }
}

/** The same calls. Each waits for its turn, and leaves its place when it has finished. */
export function inTurns<Calls extends object>(calls: Calls, turns: Turns): Calls {
  const inTurn =
    (call: (...args: unknown[]) => PromiseLike<unknown>) =>
    async (...args: unknown[]) => {
      const leave = await turns.enter();
      try {
        return await call(...args);
      } finally {
        leave();
      }
    };
  const wrap = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [name, typeof call === 'function' ? inTurn(call) : wrap(call)]),
    ) as Part;
  return wrap(calls);
}

/** The pieces, as soon as there is a place. The place is left when the last piece is sent, or the client disconnects. */
export async function* streamInTurn(turns: Turns, asker: Asker, pieces: AsyncIterable<string>) {
  const leave = await turns.enter(asker);
  try {
    yield* pieces;
  } finally {
    leave();
  }
}
