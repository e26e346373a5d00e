// Queues jobs for accepted batches that are due. It queues the first batch at once, and the batches of the next 50 milliseconds together,
// so that requests share jobs. If the process ends before that, the sweep finds the batches.
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';

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
  add(batches: readonly DeferredBatch[]): void;
  /** Queues the waiting batches, or gives up after a failed call. Never rejects. */
  close(): Promise<void>;
}

export function createDeferredJobs(store: Pick<Store, 'queueAccepted'>, log: Log): DeferredJobs {
  let waiting: DeferredBatch[] = [];
  let running = false;
  let last = Promise.resolve();
  const closing = new AbortController();

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
      await store.queueAccepted(batches.map(({ batchId }) => batchId));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'jobs of accepted batches could not be queued; trying again');
      waiting = [...batches, ...waiting].slice(-MAX_BATCHES);
      return false;
    }
  }

  /** Runs until no batch waits. After close(), it also ends when a call fails. */
  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const queued = await queue();
      if (closing.signal.aborted && !queued) break;
      await delay(queued ? EVERY : RETRY_AFTER, undefined, closing).catch(() => {});
    }
    running = false;
  }

  return {
    add(batches) {
      waiting.push(...batches);
      if (!running) last = run();
    },
    close() {
      closing.abort();
      return last;
    },
  };
}
