// Which ids are claimed next, and when. Workspaces take turns and each holds only its share, so a large batch takes only its part; of all
// together no more is asked for than the relay's rate allows.
import { createPace, type Pace } from './pace.ts';
import type { ReadyList, Turn } from './ready-list.ts';

const MAX_CLAIM = 100;
/** Claimed and not settled: of all workspaces together, so of each less, the more there are. */
const MAX_HELD = 1_000;
const MAX_SHARE = 400;
const MIN_SHARE = 25;

export class Turns {
  readonly #ready: ReadyList;
  readonly #pace: Pace;
  readonly #onTime: () => void;
  /** Ids taken and not released, by workspace. */
  readonly #held = new Map<string, number>();
  #heldByAll = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param rate Emails per second; undefined: no limit.
   * @param onTime Called when a wait is over.
   */
  constructor(ready: ReadyList, rate: number | undefined, onTime: () => void) {
    this.#ready = ready;
    this.#pace = createPace(rate);
    this.#onTime = onTime;
  }

  /** Takes ids from the list, which are held until they are released. None: not now. */
  next(): Turn {
    if (this.#ready.size === 0 || this.#ready.closed || this.#timer !== undefined || this.#heldByAll >= MAX_HELD) return [];
    const allowed = Math.min(MAX_CLAIM, this.#pace.allowed());
    if (allowed < 1) {
      this.wait(this.#pace.msUntil(Math.min(MAX_CLAIM, this.#ready.size)));
      return [];
    }
    const share = Math.max(MIN_SHARE, Math.floor(MAX_SHARE / Math.max(this.#ready.workspaces, this.#held.size)));
    const turn = this.#ready.take(allowed, (workspace, waiting) => {
      const free = share - (this.#held.get(workspace) ?? 0);
      // Not for every message sent: the claim would cost more than the sending.
      return free >= Math.min(share / 2, MAX_CLAIM, waiting) ? free : 0;
    });
    this.#pace.spend(turn.length);
    for (const [workspace] of turn) this.#hold(workspace, 1);
    return turn;
  }

  release(workspace: string, ids: number): void {
    this.#hold(workspace, -ids);
  }

  /** For ids that needed no place in the rate. */
  refund(ids: number): void {
    this.#pace.refund(ids);
  }

  /** Has no turns for so many milliseconds, unless it waits already. */
  wait(ms: number): void {
    if (this.#ready.closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onTime();
    }, ms);
  }

  /** Ends a wait without calling onTime. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #hold(workspace: string, more: number): void {
    const count = (this.#held.get(workspace) ?? 0) + more;
    if (count > 0) this.#held.set(workspace, count);
    else this.#held.delete(workspace);
    this.#heldByAll += more;
  }
}
