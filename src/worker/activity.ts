// What the worker did, for the log: one line a minute while it sends.
import type { Log } from '../log.ts';

const EVERY_MS = 60_000;

export interface Activity {
  count(outcome: string): void;
  /** Logs what was counted since the last time, if anything was. */
  flush(): void;
  stop(): void;
}

export function createActivity(log: Log): Activity {
  let counts: Record<string, number> = {};
  const flush = () => {
    if (Object.keys(counts).length === 0) return;
    log.info(counts, 'emails attempted');
    counts = {};
  };
  const timer = setInterval(flush, EVERY_MS).unref();
  return {
    count(outcome) {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    },
    flush,
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}
