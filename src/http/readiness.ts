// Whether the database is reachable and its schema is new enough, and whether sending is paused for everyone.

import type { Installation } from '../conditions.ts';
import { type CellSettings, cellError } from '../database/cell.ts';
import type { CellRoutes } from '../database/cell-calls.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { CellDownError, isRemote } from '../database/routed.ts';
import type { Store } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';

/** Milliseconds that a good result is valid, unless a query fails. */
const VALID_FOR = 10_000;

type ReadinessStore = Pick<Store, 'databaseState' | 'countPaused' | 'runningWorkers' | 'routes'>;

export class Readiness {
  readonly #store: ReadinessStore;
  readonly #onState: ((installation: Installation) => void) | undefined;
  readonly #cell: CellSettings;
  readonly #routes: CellRoutes | undefined;
  /** From the last good result. */
  schemaVersion = 0;
  sendingPaused = false;
  /** Requests are still answered, but load balancers should send them elsewhere. */
  stopping = false;
  #readyAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  /**
   * @param onState Told what each query has found.
   * @param routes Learns a router's cells.
   */
  constructor(
    store: ReadinessStore,
    cell: CellSettings = {},
    onState?: (installation: Installation) => void,
    routes?: CellRoutes,
  ) {
    this.#store = store;
    this.#routes = routes;
    this.#cell = cell;
    this.#onState = onState;
  }

  /**
   * Rejects unless the database is ready.
   * @param maxAge Milliseconds that a good result may be old. If it is older, one query serves all waiting callers.
   */
  async ready(maxAge = VALID_FOR): Promise<void> {
    if (performance.now() - this.#readyAt < maxAge) return;
    this.#check ??= this.#ask().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  /** For a failed query: the next ready() asks the database again, unless the failure is only a cell's. */
  invalidate(error?: unknown): void {
    if (error instanceof CellDownError || isRemote(error)) return;
    this.#readyAt = Number.NEGATIVE_INFINITY;
  }

  async #ask(): Promise<void> {
    const { schemaVersion, readOnly, wrongSettings, isRouter, home, cellNumber } = await this.#store
      .databaseState()
      .catch((error: unknown) => {
        if (!/unsupported startup parameter/.test(String(error))) throw error;
        throw new NotReadyError('a pooler refuses the connection: see docs/operations.md, Processes');
      });
    if (readOnly) throw new NotReadyError('the database is read-only, as a standby is', 'read_only');
    if (schemaVersion < SCHEMA_VERSION) {
      throw new NotReadyError(`the schema has version ${schemaVersion}, this code needs ${SCHEMA_VERSION}: run migrate`);
    }
    const wrongCell = cellError(this.#cell, { home, cellNumber });
    if (wrongCell !== undefined) throw new NotReadyError(wrongCell);
    if (wrongSettings.length > 0) {
      throw new NotReadyError(`the role lacks the settings ${wrongSettings.join(', ')}: see docs/operations.md, Database roles`);
    }
    if (isRouter) this.#routes?.learn(await this.#store.routes(this.#routes.last));
    const paused = await this.#store.countPaused();
    this.#onState?.({ paused, workers: await this.#store.runningWorkers() });
    this.sendingPaused = paused.some(({ scope, paused }) => scope === 'all' && paused > 0);
    this.#readyAt = performance.now();
    this.schemaVersion = schemaVersion;
  }
}
