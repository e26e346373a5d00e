// Stops hot loops without asking PostgreSQL. Cooldown and quota, exact over all processes, are SQL's.
import { addressKey } from '../http/address.ts';
import { RateLimit } from '../http/rate-limit.ts';

/** Look-ups a second, for addresses over their limit: a real token gets through, a flood of guesses doesn't. */
const SPARE_LOOKUPS = 50;
/** A minute, of the same token. */
const SPARE_LOOKUPS_PER_TOKEN = 6;

export interface FloodLimits {
  readonly requestsPerMinute: number;
  readonly unknownPerMinute: number;
}

/** Milliseconds that a request waits for others of its address: slow ones must not stop it. */
const MAX_WAIT = 5000;

export interface Admission {
  /** spare: its address is over the limit, but its token passes if it exists. */
  readonly countedBy: 'token' | 'address' | 'spare';
  /** Whole seconds to wait; undefined: within the limit. */
  readonly retryAfter: number | undefined;
  readonly address: string;
  /** Requests a minute. */
  readonly limit: number;
}

/** Requests of one address whose tokens may exist: it isn't known yet. */
interface Undecided {
  count: number;
  /** Wakes the requests that wait for them, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

export class FloodGuard {
  /** Tokens that exist, by their secret's hash. */
  readonly #byToken: RateLimit;
  /** Others, by client address. */
  readonly #byAddress: RateLimit;
  readonly #spare: RateLimit;
  readonly #spareByToken: RateLimit;
  /** By client address. */
  readonly #undecided = new Map<string, Undecided>();
  readonly #maxWait: number;
  readonly #limits: FloodLimits;

  /** @param clock Milliseconds; for tests. @param maxWait Milliseconds that a request waits for others of its address. */
  constructor(limits: FloodLimits, clock: () => number = Date.now, maxWait = MAX_WAIT) {
    const { requestsPerMinute, unknownPerMinute } = limits;
    this.#maxWait = maxWait;
    this.#limits = limits;
    this.#byToken = new RateLimit(requestsPerMinute, { clock });
    this.#byAddress = new RateLimit(unknownPerMinute, { clock });
    this.#spare = new RateLimit(SPARE_LOOKUPS * 60, { burst: SPARE_LOOKUPS, clock });
    this.#spareByToken = new RateLimit(SPARE_LOOKUPS_PER_TOKEN, { clock });
  }

  /**
   * By token if it is known, otherwise by address. Where only requests that aren't decided yet have used up an address's limit, this waits
   * for them: after a restart no token is known, and those that exist must not refuse each other. Ends with decide().
   * @param tokenHash Undefined: no secret found yet.
   */
  async check(tokenHash: string | undefined, address: string): Promise<Admission> {
    const key = addressKey(address);
    const admission = (countedBy: Admission['countedBy'], retryAfter?: number) => ({
      countedBy,
      retryAfter,
      address: key,
      limit: countedBy === 'token' ? this.#limits.requestsPerMinute : this.#limits.unknownPerMinute,
    });
    const deadline = performance.now() + this.#maxWait;
    for (;;) {
      const undecided = this.#undecided.get(key);
      if (tokenHash !== undefined && this.#byToken.has(tokenHash)) {
        // It needs no place on the count of its address.
        wakeNext(undecided);
        return admission('token', this.#byToken.take(tokenHash));
      }
      const retryAfter = this.#byAddress.take(key);
      if (retryAfter === undefined) {
        if (undecided === undefined) this.#undecided.set(key, { count: 1, waiting: new Set() });
        else undecided.count += 1;
        return admission('address');
      }
      const left = deadline - performance.now();
      if (undecided === undefined || left <= 0) return admission(this.#isSpared(tokenHash) ? 'spare' : 'address', retryAfter);
      await turn(undecided, left);
    }
  }

  #isSpared(tokenHash: string | undefined): boolean {
    return tokenHash !== undefined && this.#spareByToken.take(tokenHash) === undefined && this.#spare.take('') === undefined;
  }

  /** Once for each admission. @param known Whether its token exists; undefined: it was refused before anybody looked. */
  decide({ countedBy, retryAfter, address }: Admission, tokenHash: string | undefined, known: boolean | undefined): void {
    if (countedBy === 'address' && retryAfter === undefined) this.#leave(address);
    if (tokenHash === undefined || known === undefined) return;
    if (known && countedBy !== 'token') {
      if (countedBy === 'address') this.#byAddress.giveBack(address);
      this.#byToken.take(tokenHash);
    } else if (!known && countedBy === 'token') {
      this.#byToken.delete(tokenHash);
      this.#byAddress.take(address);
    }
  }

  /** It was counted by its address until its secret was found. */
  withdraw({ retryAfter, address }: Admission): void {
    if (retryAfter !== undefined) return;
    this.#leave(address);
    this.#byAddress.giveBack(address);
  }

  #leave(address: string): void {
    const undecided = this.#undecided.get(address);
    if (undecided === undefined) return;
    undecided.count -= 1;
    wakeNext(undecided);
    if (undecided.count > 0) return;
    this.#undecided.delete(address);
    for (const wake of undecided.waiting) wake();
  }
}

/** Resolves when it is this request's turn to look again, or after so many milliseconds. */
const turn = ({ waiting }: Undecided, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds).unref();
    waiting.add(wake);
  });

const wakeNext = (undecided: Undecided | undefined): void => undecided?.waiting.values().next().value?.();
