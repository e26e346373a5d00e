// Starts a worker's runner and replaces it whenever it ends. While the database is away or not migrated, it waits and retries.
import { setTimeout as delay } from 'node:timers/promises';
import { type CellSettings, cellError } from '../database/cell.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';
import type { Log } from '../log.ts';
import { logOutage } from '../outage.ts';
import type { Heartbeat } from './heartbeat.ts';
import { logRelayAtStart } from './relay-log.ts';
import { HangingError, type RunnerContext } from './runner.ts';
import type { Runners } from './runners.ts';

export interface SupervisorContext {
  readonly store: Pick<Store, 'schemaVersion' | 'cell' | 'relayConditions'>;
  readonly cell: CellSettings;
  /** The name of the relay that is sent to. */
  readonly relay: string | undefined;
  readonly workerId: string;
  readonly runners: Runners;
  readonly taskList: RunnerContext['taskList'];
  readonly heartbeat: Pick<Heartbeat, 'beat' | 'start'>;
  /** Woken whenever a runner starts, for what others may have left. */
  readonly events: readonly { wake(): void }[];
  /** Called when runner after runner hangs without a job. Then none is started any more. */
  readonly giveUp: (reason: string) => void;
  readonly log: Log;
}

const RESTART_MS = 1_000;

export class Supervisor {
  readonly #context: SupervisorContext;
  readonly #started = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(context: SupervisorContext) {
    this.#context = context;
  }

  /** When the first runner takes jobs. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  start(): void {
    this.#ended = this.#supervise();
  }

  /** Resolves when the runner's jobs have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#context.runners.stop();
    await this.#ended;
  }

  async #supervise(): Promise<void> {
    const { runners, giveUp, log } = this.#context;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#runUntilDisconnected();
      } catch (error) {
        if (signal.aborted) break;
        if (isNotReady(error)) logOutage(log, error, 'the database is not ready; trying again');
        else log.error({ err: error }, 'worker failed; trying again');
        runners.forget();
        if (error instanceof HangingError && runners.areFruitless) return giveUp('no runner takes jobs');
        // It rejects when told to stop.
        await delay(RESTART_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Rejects when the connection is lost or the runner hangs; resolves when stopped. */
  async #runUntilDisconnected(): Promise<void> {
    const { store, cell, relay, workerId, runners, taskList, heartbeat, events, log } = this.#context;
    const version = await store.schemaVersion();
    if (version < SCHEMA_VERSION) {
      throw new NotReadyError(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}: run migrate`);
    }
    const found = await store.cell();
    if (found.home === null) throw new NotReadyError('DATABASE_URL is a router: run work beside each of its cells');
    const wrongCell = cellError(cell, found);
    if (wrongCell !== undefined) throw new NotReadyError(wrongCell);
    // A claim needs the worker's row; again below, with the pool id.
    await heartbeat.beat();
    if (this.#stopping.signal.aborted) return;
    const runner = runners.start(taskList);
    await Promise.race([runner.ready, runner.ended]);
    await heartbeat.start();
    logRelayAtStart(log, await store.relayConditions(), relay);
    for (const part of events) part.wake();
    this.#started.resolve();
    log.info({ worker: workerId }, 'worker started');
    await runner.ended;
  }
}
