// The databases that requests are for. A secret's home says which, but anybody can invent one. So only a database that is known to have a token
// gets calls of its own beside those of others.
import { homeOfHash } from '../secret.ts';

export class Cells {
  readonly #known = new Set<string>();
  readonly #groupOf: (home: string) => string;

  /** @param groupOf What homes share calls. A workspace that has moved to another database has a group of its own. */
  constructor(groupOf = (home: string) => home.slice(0, 4)) {
    this.#groupOf = groupOf;
  }

  /** The name of those hashes that this one may share a call with. */
  groupOf(secretHash: Buffer): string {
    return this.#groupOf(homeOfHash(secretHash));
  }

  /** Undefined: no token of it has been found yet. */
  known(secretHash: Buffer): string | undefined {
    const cell = this.groupOf(secretHash);
    return this.#known.has(cell) ? cell : undefined;
  }

  /** For a hash whose token was found. */
  add(secretHash: Buffer): void {
    this.#known.add(this.groupOf(secretHash));
  }
}
