// Queues jobs for accepted batches that are due. It queues the first batch at once, and the batches of the next 50 milliseconds together,
// so that requests share jobs. If the process ends before that, the sweep finds the batches.
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { NO_WORKSPACE } from '../secret.ts';

/** Milliseconds between calls. */
const EVERY = 50;
/** Milliseconds after a failed call. */
const RETRY_AFTER = 1_000;
/** A call with this many recipients takes no further batch. */
const MAX_RECIPIENTS = 10_000;
/** Batches that wait after a failed call. If there are more, the oldest are left to the sweep. */
const MAX_BATCHES = 100_000;

export interface DeferredBatch {
  readonly batchId: string;
  readonly recipients: number;
}

export interface DeferredJobs {
  /** @param cell What the homes of all begin with. */
  add(cell: string, batches: readonly DeferredBatch[]): void;
  /** Queues the waiting batches, or gives up after a failed call. Never rejects. */
  close(): Promise<void>;
}

type JobsStore = Pick<Store, 'queueAccepted'>;

/** Each database has a queue of its own, so that a slow one doesn't delay the others. */
export function createDeferredJobs(store: JobsStore, log: Log): DeferredJobs {
  const queues = new Map<string, Queue>();
  const closing = new AbortController();
  return {
    add(cell, batches) {
      const queue = queues.get(cell) ?? createQueue(cell, store, log, closing.signal);
      queues.set(cell, queue);
      queue.add(batches);
    },
    async close() {
      closing.abort();
      await Promise.all([...queues.values()].map((queue) => queue.ended()));
    },
  };
}

type Queue = ReturnType<typeof createQueue>;

function createQueue(cell: string, store: JobsStore, log: Log, signal: AbortSignal) {
  let waiting: DeferredBatch[] = [];
  let running = false;
  let last = Promise.resolve();

  function take(): DeferredBatch[] {
    let recipients = 0;
    const end = waiting.findIndex((batch) => {
      recipients += batch.recipients;
      return recipients > MAX_RECIPIENTS;
    });
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end));
  }

  async function queue(): Promise<boolean> {
    const batches = take();
    try {
      await store.queueAccepted(
        batches.map(({ batchId }) => batchId),
        cell.padEnd(8, NO_WORKSPACE),
      );
      return true;
    } catch (error) {
      log.warn({ err: error }, 'jobs of accepted batches could not be queued; trying again');
      waiting = [...batches, ...waiting].slice(-MAX_BATCHES);
      return false;
    }
  }

  /** Runs until no batch waits. After the signal, it also ends when a call fails. */
  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const queued = await queue();
      if (signal.aborted && !queued) break;
      await delay(queued ? EVERY : RETRY_AFTER, undefined, { signal }).catch(() => {});
    }
    running = false;
  }

  return {
    add(batches: readonly DeferredBatch[]) {
      waiting.push(...batches);
      if (!running) last = run();
    },
    ended: () => last,
  };
}
