// A loop that sleeps until something wakes it.

export interface Loop {
  wake(): void;
  /** Resolves when the current step has ended. True: a step was running or scheduled. */
  stop(): Promise<boolean>;
}

/** @param step Does the work that is due, and never rejects. Returns milliseconds until the next step; undefined: sleep until woken. */
export function createLoop(step: () => Promise<number | undefined>): Loop {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const run = () => {
    timer = undefined;
    running = step().then((wait) => {
      running = undefined;
      if (stopped) return;
      if (again) schedule(0);
      else if (wait !== undefined) schedule(wait);
      again = false;
    });
  };
  return {
    wake() {
      if (stopped) return;
      if (running === undefined) schedule(0);
      else again = true;
    },
    async stop() {
      const wasAwake = running !== undefined || timer !== undefined;
      stopped = true;
      clearTimeout(timer);
      await running;
      return wasAwake;
    },
  };
}
