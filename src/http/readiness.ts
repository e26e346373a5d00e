// Whether the database is reachable and its schema is at least this code's version.

import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { Store } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';

/** How long a good answer is valid, unless a query fails. Milliseconds. */
const VALID_FOR = 10_000;

export class Readiness {
  readonly #store: Pick<Store, 'schemaVersion'>;
  #validUntil = 0;
  #check: Promise<void> | undefined;

  constructor(store: Pick<Store, 'schemaVersion'>) {
    this.#store = store;
  }

  /** Rejects unless the database is ready. Asks it only if the last answer is no longer valid. */
  async ready(): Promise<void> {
    if (Date.now() < this.#validUntil) return;
    this.#check ??= this.#ask().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  /** A query has failed: the next request asks again. */
  invalidate(): void {
    this.#validUntil = 0;
  }

  async #ask(): Promise<void> {
    const version = await this.#store.schemaVersion();
    if (version < SCHEMA_VERSION) {
      throw new NotReadyError(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}: run migrate`);
    }
    this.#validUntil = Date.now() + VALID_FOR;
  }
}
