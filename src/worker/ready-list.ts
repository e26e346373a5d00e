// The ids that jobs have brought and no claim has taken, by workspace. What doesn't fit gets a job for later.
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { logNotQueued } from './delivery-log.ts';
import { FairQueue } from './fair-queue.ts';

/** Ids taken from the list, each with its workspace, in the order of their turns. */
export type Turn = readonly (readonly [workspace: string, id: number])[];

/** In the list of one process. */
const MAX_READY = 100_000;
/** How long a job waits for room, and how much later it looks again. Emails to members wait for jobs to end. */
const FULL_MS = 2_000;
const FULL_SECONDS = 10;

/** Fails a job that comes too late; another worker takes it. */
export const STOPPING = 'the worker is stopping';

export class ReadyList {
  readonly #store: Pick<Store, 'workspacesOf' | 'requeueSends'>;
  readonly #log: Log;
  readonly #queue = new FairQueue<number>();
  #room = Promise.withResolvers<void>();
  #closed = false;

  constructor(store: Pick<Store, 'workspacesOf' | 'requeueSends'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  get size(): number {
    return this.#queue.size;
  }

  get workspaces(): number {
    return this.#queue.lanes;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Resolves when they are in the list, or given back because it is full or was closed meanwhile. Rejects if it is closed.
   * @param onAdded Called as soon as they are in the list, before another job's ids are.
   */
  async add(invitationIds: readonly number[], onAdded: () => void): Promise<void> {
    if (this.#closed) throw new Error(STOPPING);
    if (this.size >= MAX_READY) await Promise.race([this.#room.promise, delay(FULL_MS)]);
    if (this.size >= MAX_READY) return this.#store.requeueSends(invitationIds, FULL_SECONDS);
    const found = await this.#store.workspacesOf(invitationIds);
    if (this.#closed) return this.#store.requeueSends(invitationIds, 0);
    for (const { workspaceId, ids } of found) for (const id of ids) this.#queue.add(workspaceId, id);
    logNotQueued(this.#log, invitationIds, found);
    onAdded();
  }

  /** See FairQueue. */
  take(max: number, roomOf: (workspace: string, ids: number) => number): Turn {
    const turn = this.#queue.take(max, roomOf);
    if (this.size < MAX_READY) {
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
    return turn;
  }

  /** They come first again in their workspaces, also in a closed list: release them. */
  putBack(turn: Turn): void {
    for (const [workspace, entries] of Map.groupBy(turn, ([lane]) => lane)) {
      this.#queue.putBack(
        workspace,
        entries.map(([, id]) => id),
      );
    }
  }

  /** Takes nothing more from jobs. */
  close(): void {
    this.#closed = true;
  }

  /** Gives all of them back to the database for other workers. Never rejects: what can't be given back is found by the sweep. */
  async release(): Promise<void> {
    const left = this.#queue.take(this.size).map(([, id]) => id);
    if (left.length === 0) return;
    await this.#store
      .requeueSends(left, 0)
      .catch((error: unknown) => this.#log.warn({ err: error, invitations: left.length }, "emails can't be released"));
  }
}
