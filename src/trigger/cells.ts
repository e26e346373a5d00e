// The databases that requests are for. A secret's home says which, but anybody can invent one. So only a database that is known to have a token
// gets calls of its own beside those of others.
import { cellOfHash } from '../secret.ts';

export class Cells {
  readonly #known = new Set<string>();

  /** Undefined: no token of it has been found yet. */
  known(secretHash: Buffer): string | undefined {
    const cell = cellOfHash(secretHash);
    return this.#known.has(cell) ? cell : undefined;
  }

  /** For a hash whose token was found. */
  add(secretHash: Buffer): void {
    this.#known.add(cellOfHash(secretHash));
  }
}
