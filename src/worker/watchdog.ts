// Notices what should have ended. It counts ticks, not time: a process that was stopped for a while doesn't take everything for hanging.

const TICK_MS = 500;

export interface Watchdog {
  /** It must end, or be expected again, within the time. */
  expect(what: unknown): void;
  ended(what: unknown): void;
  stop(): void;
}

/** @param onOverdue Called once, with the first that is overdue; the watch ends. */
export function createWatchdog(seconds: number, onOverdue: (what: unknown) => void): Watchdog {
  const ticks = new Map<unknown, number>();
  const max = (seconds * 1000) / TICK_MS;
  const timer = setInterval(() => {
    for (const [what, count] of ticks) {
      if (count < max) ticks.set(what, count + 1);
      else {
        stop();
        onOverdue(what);
        return;
      }
    }
  }, TICK_MS).unref();
  const stop = () => {
    clearInterval(timer);
    ticks.clear();
  };
  return { expect: (what) => void ticks.set(what, 0), ended: (what) => void ticks.delete(what), stop };
}

/** The same object, with its asynchronous functions watched. */
export function watched<T extends object>(object: T, watchdog: Watchdog): T {
  const wrap =
    (call: (...words: unknown[]) => unknown) =>
    (...words: unknown[]): unknown => {
      const result = call(...words);
      if (!(result instanceof Promise)) return result;
      const key = Symbol('call');
      watchdog.expect(key);
      const ended = () => watchdog.ended(key);
      result.then(ended, ended);
      return result;
    };
  const entries = Object.entries(object).map(([name, value]) => [name, typeof value === 'function' ? wrap(value) : value]);
  return Object.fromEntries(entries) as T;
}
