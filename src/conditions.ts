// The log's lines about the whole installation, from a server process: sending is paused or resumed, and no worker has run for a minute.
import type { Log } from './log.ts';

export const CONDITION_WORDS = {
  paused: 'sending is paused',
  resumed: 'sending is resumed',
  noWorker: 'no worker has run for a minute: nothing is sent',
  worker: 'a worker runs again',
} as const;

const NO_WORKER_MS = 60_000;

export interface Installation {
  readonly paused: readonly { readonly scope: string; readonly paused: number }[];
  /** Null: it isn't known. */
  readonly workers: number | null;
}

/** @param now Milliseconds; for tests. */
export function createConditionLog(log: Log, now = () => performance.now()) {
  const pausedBefore = new Map<string, number>();
  let ranAt = now();
  let saidNoWorker = false;
  return ({ paused, workers }: Installation): void => {
    for (const { scope, paused: count } of paused) {
      const before = pausedBefore.get(scope) ?? 0;
      pausedBefore.set(scope, count);
      if (count !== before) log.warn({ scope, paused: count }, count > before ? CONDITION_WORDS.paused : CONDITION_WORDS.resumed);
    }
    if (workers === null) return;
    if (workers > 0) {
      ranAt = now();
      if (saidNoWorker) log.warn({ workers }, CONDITION_WORDS.worker);
      saidNoWorker = false;
    } else if (!saidNoWorker && now() - ranAt >= NO_WORKER_MS) {
      saidNoWorker = true;
      log.error(CONDITION_WORDS.noWorker);
    }
  };
}
