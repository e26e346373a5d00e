// Whether the database can be used: reachable, and migrated at least as far as this code.

import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { Store } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';

/** For how long a good answer holds; a failing query ends it at once. Milliseconds. */
const GOOD_FOR = 10_000;

export class Readiness {
  readonly #store: Pick<Store, 'schemaVersion'>;
  #goodUntil = 0;
  #check: Promise<void> | undefined;

  constructor(store: Pick<Store, 'schemaVersion'>) {
    this.#store = store;
  }

  /** Resolves when the database can be used; asks it only if it was not asked just now. Rejects otherwise. */
  async ready(): Promise<void> {
    if (Date.now() < this.#goodUntil) return;
    this.#check ??= this.#ask().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  /** A query has failed: the next request asks again. */
  doubt(): void {
    this.#goodUntil = 0;
  }

  async #ask(): Promise<void> {
    const version = await this.#store.schemaVersion();
    if (version < SCHEMA_VERSION) {
      throw new NotReadyError(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}: run migrate`);
    }
    this.#goodUntil = Date.now() + GOOD_FOR;
  }
}
