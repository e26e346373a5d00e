// The calls of a server behind a router (src/cells). Each cell gets connections of its own, so that one which hangs takes none of another's, and a
// cell that doesn't respond gets only one call at a time until it does. With one PostgreSQL, all this does nothing.
import { errorCode, STATEMENT_CANCELLED } from './pool.ts';
import { asDirect, CellDownError, isRemote } from './routed.ts';

/** Milliseconds until a call counts as unanswered. The statement has ended before, unless the cell hangs. */
export const UNANSWERED_AFTER = 6_000;

/** Milliseconds until a cell that didn't respond is tried again, by one call at a time. */
const TRIED_AGAIN_AFTER = 1_000;

/** What the router has said. */
export interface Routes {
  /** The first four characters of their homes. */
  readonly cells: readonly string[];
  /** By the home of a workspace: the cell in which it is now. */
  readonly moved: Readonly<Record<string, string>>;
  /** The last change of the moves that are listed. */
  readonly last: string;
}

/** What this server knows of the router's cells. It decides only which calls share what: the router knows itself where each belongs. */
export class CellRoutes {
  #cells: ReadonlySet<string> = new Set();
  readonly #moved = new Map<string, string>();
  /** Up to which change the moves are known. */
  last = '0';

  get cells(): readonly string[] {
    return [...this.#cells];
  }

  learn({ cells, moved, last }: Routes): void {
    this.#cells = new Set(cells);
    for (const [home, cell] of Object.entries(moved)) this.#moved.set(home, cell);
    this.last = last;
  }

  /** The cell of a home. Undefined: there is no router, or it has no such cell. */
  cellOf(home: string): string | undefined {
    const cell = this.#moved.get(home) ?? home.slice(0, 4);
    return this.#cells.has(cell) ? cell : undefined;
  }

  /** What calls of several workspaces may share: those of one cell, of which none has moved. */
  groupOf(home: string): string {
    return this.#moved.has(home) ? home : home.slice(0, 4);
  }
}

const HASH_BYTES = 40;
const HOME = /^[a-z0-9]{8}(?:[\w-]{33})?$/;
const HEXADECIMAL = /^\\x((?:[0-9a-f]{2}){8})/;

/** The homes in a call's arguments: of a hash, a token, a home itself, or the first element of a list that has one of these. */
export function* homesIn(value: unknown, depth = 3): Generator<string> {
  if (Buffer.isBuffer(value)) {
    if (value.length === HASH_BYTES) yield value.toString('latin1', 0, 8);
  } else if (typeof value === 'string') {
    const digits = HEXADECIMAL.exec(value)?.[1];
    if (HOME.test(value)) yield value.slice(0, 8);
    else if (digits !== undefined) yield Buffer.from(digits, 'hex').toString('latin1');
  } else if (depth > 0 && typeof value === 'object' && value !== null) {
    for (const part of Array.isArray(value) ? value.slice(0, 1) : Object.values(value)) yield* homesIn(part, depth - 1);
  }
}

interface Waiting {
  start(error?: Error): void;
}

/**
 * A server's connections for one cell, of one pool. A call that gets no response gives up, but keeps its place until its connection is free. So at most
 * `places` calls are stuck in a cell that hangs, and none is carried out later of which the client was told that it failed.
 */
export class CellGate {
  readonly #places: number;
  readonly #unansweredAfter: number;
  readonly #waiting = new Set<Waiting>();
  #held = 0;
  #probing = false;
  /** Until when nothing is tried, by performance.now(). Undefined: the cell responds. */
  #downUntil: number | undefined;

  constructor(places: number, unansweredAfter = UNANSWERED_AFTER) {
    this.#places = places;
    this.#unansweredAfter = unansweredAfter;
  }

  /** @throws {CellDownError} The cell doesn't respond, or hasn't and is being tried by another call. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const probes = this.#downUntil !== undefined;
    if (probes && (this.#probing || performance.now() < (this.#downUntil ?? 0)))
      throw new CellDownError('it did not a moment ago');
    if (probes) this.#probing = true;
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const timer = setTimeout(() => late.reject(new CellDownError('no response in time')), this.#unansweredAfter);
    try {
      await this.#enter(late.promise);
      const running = call().finally(() => this.#leave());
      running.catch(() => {});
      const result = await Promise.race([running, late.promise]);
      this.#downUntil = undefined;
      return result;
    } catch (thrown) {
      const direct = asDirect(thrown);
      // The cell itself ends statements earlier, unless it hangs.
      const isSilent = errorCode(direct) === STATEMENT_CANCELLED && !isRemote(direct);
      const error = isSilent ? new CellDownError('no response in time') : direct;
      if (error instanceof CellDownError) this.#fail(error);
      else this.#downUntil = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      if (probes) this.#probing = false;
    }
  }

  async #enter(late: Promise<never>): Promise<void> {
    if (this.#held < this.#places) {
      this.#held += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { start: (error) => (error === undefined ? turn.resolve() : turn.reject(error)) };
    this.#waiting.add(waiting);
    try {
      await Promise.race([turn.promise, late]);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** The place goes to the call that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#held -= 1;
    else {
      this.#waiting.delete(next);
      next.start();
    }
  }

  #fail(error: CellDownError): void {
    this.#downUntil = performance.now() + TRIED_AGAIN_AFTER;
    for (const waiting of this.#waiting) waiting.start(error);
    this.#waiting.clear();
  }
}

/** The same calls, through the gate. */
export function gated<Calls extends object>(calls: Calls, gate: CellGate): Calls {
  const wrap = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [
        name,
        typeof call === 'function' ? (...args: unknown[]) => gate.run(async () => call(...args)) : wrap(call),
      ]),
    );
  return wrap(calls) as Calls;
}

/**
 * The same calls. Each is made with what `open` returns for its cell, or for no cell.
 * @param everywhere Calls that are made in every cell and succeed even if some are down, with how many arguments come before the home.
 */
export function byCell<Calls extends object>(
  routes: CellRoutes,
  open: (cell: string | undefined) => Calls,
  everywhere: Readonly<Record<string, number>> = {},
): Calls {
  type Call = (...args: unknown[]) => Promise<unknown>;
  type Tree = { readonly [name: string]: Call | Tree };
  const usual = open(undefined) as Tree;
  const opened = new Map<string, Tree>();

  /** The call of this name for a cell. */
  function callOf(cell: string, path: readonly string[]): Call {
    const calls = opened.get(cell) ?? (open(cell) as Tree);
    opened.set(cell, calls);
    return path.reduce<Tree | Call>((part, name) => (part as Tree)[name] as Tree | Call, calls) as Call;
  }

  async function inEvery(path: readonly string[], args: unknown[], before: number): Promise<void> {
    const given = Array.from({ length: before }, (_, index) => args[index]);
    const results = await Promise.allSettled(routes.cells.map(async (cell) => callOf(cell, path)(...given, `${cell}0000`)));
    const [first] = results;
    if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason;
  }

  function cellIn(args: unknown[]): string | undefined {
    for (const arg of args) {
      for (const home of homesIn(arg)) {
        const cell = routes.cellOf(home);
        if (cell !== undefined) return cell;
      }
    }
    return undefined;
  }

  const routed =
    (path: readonly string[], direct: Call): Call =>
    async (...args) => {
      if (routes.cells.length === 0) return direct(...args);
      const before = everywhere[path.join('.')];
      if (before !== undefined) return inEvery(path, args, before);
      const cell = cellIn(args);
      return cell === undefined ? direct(...args) : callOf(cell, path)(...args);
    };
  const wrap = (part: Tree, path: readonly string[]): Tree =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => {
        const here = [...path, name];
        return [name, typeof call === 'function' ? routed(here, call) : wrap(call, here)];
      }),
    );
  return wrap(usual, []) as Calls;
}
