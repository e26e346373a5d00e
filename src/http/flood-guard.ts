// Refuses floods of requests without a query. SQL checks the cooldown and the quota, which are exact across all processes.
import { addressKey } from './address.ts';
import { RateLimit } from './rate-limit.ts';

/** Lookups a second for all addresses over their limit, so that an existing token gets through and a flood of guesses doesn't. */
const SPARE_LOOKUPS = 50;
/** The most of these lookups in a minute for the same token. */
const SPARE_LOOKUPS_PER_TOKEN = 6;

export interface FloodLimits {
  readonly requestsPerMinute: number;
  readonly unknownPerMinute: number;
}

/** Milliseconds that a request waits for others of its address, so that slow requests don't block it. */
const MAX_WAIT = 5000;

export interface Admission {
  /** spare: the address is over its limit, but the request passes if its token exists. */
  readonly countedBy: 'token' | 'address' | 'spare';
  /** Whole seconds to wait; undefined: within the limit. */
  readonly retryAfter: number | undefined;
  readonly address: string;
  /** Requests a minute. */
  readonly limit: number;
}

/** Requests of one address for which it isn't known yet whether their tokens exist. */
interface Undecided {
  count: number;
  /** Functions that wake the requests that wait for these, in order of arrival. */
  readonly waiting: Set<() => void>;
}

export class FloodGuard {
  /** Requests with tokens that exist, by the secret's hash. */
  readonly #byToken: RateLimit;
  /** Other requests, by client address. */
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
   * Counts a request by its token if the token is known to exist, otherwise by its address. The caller must end it with decide().
   *
   * If an address's limit is used up while some of its requests are undecided, this waits for them. Otherwise requests with existing tokens
   * could be refused after a restart, when no token is known yet. With a limit of 10 and 11 requests at once, the last one waits. It passes
   * once another request's token proves to exist, because that request then no longer counts against the address.
   * @param tokenHash Undefined: no secret has been found yet.
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
        // This request takes no place in its address's limit, so the next waiting request may take it.
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
      await waitForTurn(undecided, left);
    }
  }

  #isSpared(tokenHash: string | undefined): boolean {
    return tokenHash !== undefined && this.#spareByToken.take(tokenHash) === undefined && this.#spare.take('') === undefined;
  }

  /** Call this once for each admission. @param known Whether the token exists; undefined: the request was refused before the lookup. */
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

  /**
   * Counts a request while it looks up what its secret gives access to.
   * @param look Null or undefined: nothing.
   * @param refusal What a request over its limit gets, unless it finds something.
   */
  async lookUp<T>(
    tokenHash: string,
    address: string,
    look: () => Promise<T | null | undefined>,
    refusal: (countedBy: 'token' | 'address', retryAfterSeconds: number) => Error,
  ): Promise<T | undefined> {
    const admission = await this.check(tokenHash, address);
    const { countedBy, retryAfter } = admission;
    let known: boolean | undefined;
    try {
      if (countedBy !== 'spare' && retryAfter !== undefined) throw refusal(countedBy, retryAfter);
      const found = (await look()) ?? undefined;
      known = found !== undefined;
      if (!known && retryAfter !== undefined) throw refusal('address', retryAfter);
      return found;
    } finally {
      this.decide(admission, tokenHash, known);
    }
  }

  /** Counts a request as several more, because reading it took as much time as they do. */
  charge({ countedBy, address }: Admission, tokenHash: string | undefined, requests: number): void {
    for (let count = 0; count < requests; count += 1) {
      if (countedBy === 'token' && tokenHash !== undefined) this.#byToken.take(tokenHash);
      else this.#byAddress.take(address);
    }
  }

  /** Undoes an admission by address, once the request's secret is found in its body. */
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

/** Resolves when it is this request's turn to check again, or after the given milliseconds. */
const waitForTurn = ({ waiting }: Undecided, milliseconds: number): Promise<void> =>
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
