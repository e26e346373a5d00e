// Stops hot loops in this process, without asking PostgreSQL. Cooldown and quota, exact over all processes, are SQL's.
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

export interface Admission {
  /** spare: its address is over the limit, but its token passes if it exists. */
  readonly countedBy: 'token' | 'address' | 'spare';
  /** Whole seconds to wait; undefined: within the limit. */
  readonly retryAfter: number | undefined;
}

export class FloodGuard {
  /** Tokens that exist, by their secret's hash. */
  readonly #byToken: RateLimit;
  /** Others, by client address. */
  readonly #byAddress: RateLimit;
  readonly #spare: RateLimit;
  readonly #spareByToken: RateLimit;

  /** @param clock Milliseconds; for tests. */
  constructor({ requestsPerMinute, unknownPerMinute }: FloodLimits, clock: () => number = Date.now) {
    this.#byToken = new RateLimit(requestsPerMinute, { clock });
    this.#byAddress = new RateLimit(unknownPerMinute, { clock });
    this.#spare = new RateLimit(SPARE_LOOKUPS * 60, { burst: SPARE_LOOKUPS, clock });
    this.#spareByToken = new RateLimit(SPARE_LOOKUPS_PER_TOKEN, { clock });
  }

  /**
   * By token if it is known, otherwise by address, until record says that it exists.
   * @param tokenHash Undefined: no secret found yet.
   */
  check(tokenHash: string | undefined, address: string): Admission {
    if (tokenHash !== undefined && this.#byToken.has(tokenHash)) {
      return { countedBy: 'token', retryAfter: this.#byToken.take(tokenHash) };
    }
    const retryAfter = this.#byAddress.take(addressKey(address));
    const isSpared =
      retryAfter !== undefined &&
      tokenHash !== undefined &&
      this.#spareByToken.take(tokenHash) === undefined &&
      this.#spare.take('') === undefined;
    return { countedBy: isSpared ? 'spare' : 'address', retryAfter };
  }

  /** Whether the token of an admitted request exists. */
  record({ countedBy }: Admission, tokenHash: string, address: string, known: boolean): void {
    if (known && countedBy !== 'token') {
      if (countedBy === 'address') this.giveBack(address);
      this.#byToken.take(tokenHash);
    } else if (!known && countedBy === 'token') {
      this.#byToken.delete(tokenHash);
      this.#byAddress.take(addressKey(address));
    }
  }

  /** Whatever the outcome. Returns the seconds to wait, if it may not pass. */
  attempt(address: string): number | undefined {
    return this.#byAddress.take(addressKey(address));
  }

  /** It was counted by its address before its secret was found. */
  giveBack(address: string): void {
    this.#byAddress.giveBack(addressKey(address));
  }
}
