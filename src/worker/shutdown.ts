// Ends a worker in time, whatever hangs: when it is told to stop, or when it gives up. What isn't done by then is left to the others, once
// the worker's lease ends.
import type { Sql } from '../database/pool.ts';
import type { Log } from '../log.ts';
import type { Activity } from './activity.ts';
import type { Delivery } from './delivery.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Runners } from './runners.ts';
import type { Supervisor } from './supervisor.ts';
import type { Watchdog } from './watchdog.ts';

export interface WorkerParts {
  readonly supervisor: Pick<Supervisor, 'stop'>;
  readonly runners: Pick<Runners, 'giveUp'>;
  readonly delivery: Pick<Delivery, 'stop'>;
  readonly heartbeat: Pick<Heartbeat, 'stop' | 'end'>;
  readonly events: readonly { stop(): Promise<void> }[];
  readonly activity: Pick<Activity, 'stop'>;
  readonly calls: Pick<Watchdog, 'stop'>;
  readonly sql: Pick<Sql, 'end'>;
}

export interface ShutdownContext {
  readonly parts: WorkerParts;
  readonly workerId: string;
  readonly stopSeconds: number;
  readonly giveUpSeconds: number;
  readonly onHanging: () => void;
  readonly log: Log;
}

export class Shutdown {
  readonly #context: ShutdownContext;
  #begun = false;
  #stopped: Promise<void> | undefined;

  constructor(context: ShutdownContext) {
    this.#context = context;
  }

  /** Finishes the sends in flight and gives back the rest. Resolves after stopSeconds, whatever hangs; at once if the worker gives up. */
  async stop(): Promise<void> {
    if (this.#begun) return this.#stopped;
    const { workerId, stopSeconds, log } = this.#context;
    this.#stopped = this.#end(stopSeconds).then((isDone) => {
      if (isDone) log.info({ worker: workerId }, 'worker stopped');
      else log.error({ worker: workerId }, 'the worker did not stop in time: what it holds is taken over when its lease ends');
    });
    return this.#stopped;
  }

  /** The same in giveUpSeconds; then calls onHanging. Does nothing if the worker ends already. */
  async giveUp(reason: string): Promise<void> {
    if (this.#begun) return;
    const { workerId, giveUpSeconds, onHanging, log } = this.#context;
    log.fatal({ worker: workerId, reason }, 'the worker hangs: ending this process');
    await this.#end(giveUpSeconds);
    onHanging();
  }

  /** @returns False: not done in time. */
  async #end(seconds: number): Promise<boolean> {
    this.#begun = true;
    const { runners, heartbeat, activity, calls, sql } = this.#context.parts;
    const isDone = await isDoneIn(seconds, this.#endInOrder());
    if (!isDone) runners.giveUp();
    activity.stop();
    void this.#stopEvents();
    heartbeat.end();
    calls.stop();
    const closed = sql.end({ timeout: isDone ? 5 : 0 });
    if (isDone) await closed;
    else closed.catch(() => {});
    return isDone;
  }

  async #endInOrder(): Promise<void> {
    const { supervisor, delivery, heartbeat } = this.#context.parts;
    const delivered = delivery.stop();
    await supervisor.stop();
    // Until here the heartbeat keeps others from taking over sends in flight.
    await delivered;
    await heartbeat.stop();
    await this.#stopEvents();
  }

  async #stopEvents(): Promise<void> {
    await Promise.all(this.#context.parts.events.map((part) => part.stop()));
  }
}

async function isDoneIn(seconds: number, done: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, seconds * 1000, false);
  const isDone = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
