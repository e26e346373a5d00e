// The rate limit of one process: it rejects a caller in a hot loop without asking PostgreSQL. The cooldown and the workspace's quota, which
// are exact across all processes, are decided in SQL.
import { addressKey } from '../http/address.ts';
import { RateLimit } from '../http/rate-limit.ts';

/** Look-ups a second of tokens whose addresses are over their limit: a real token gets through, a flood of guesses doesn't. */
const SPARE_LOOKUPS = 50;
/** Of those, look-ups a minute of the same token. */
const SPARE_LOOKUPS_PER_TOKEN = 6;

export interface FloodLimits {
  readonly requestsPerMinute: number;
  readonly unknownPerMinute: number;
}

/** How a request was counted. */
export interface Admission {
  /** spare: its address is over the limit, but its token is looked up, and passes if it exists. */
  readonly countedBy: 'token' | 'address' | 'spare';
  /** The whole seconds after which to try again; undefined: within the limit. */
  readonly retryAfter: number | undefined;
}

export class FloodGuard {
  /** Tokens that exist, by the hash of their secret. */
  readonly #byToken: RateLimit;
  /** Requests without a token that is known to exist, by the client's address. */
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
   * Counts a request: with a known token by that, otherwise by its address, until record says that the token exists.
   * @param tokenHash Undefined: no secret has been found yet.
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

  /** Records whether the token of an admitted request exists. */
  record({ countedBy }: Admission, tokenHash: string, address: string, known: boolean): void {
    if (known && countedBy !== 'token') {
      if (countedBy === 'address') this.giveBack(address);
      this.#byToken.take(tokenHash);
    } else if (!known && countedBy === 'token') {
      this.#byToken.delete(tokenHash);
      this.#byAddress.take(addressKey(address));
    }
  }

  /** Counts an attempt from a client address, whatever its outcome. Returns the seconds after which to try again, if it may not pass. */
  attempt(address: string): number | undefined {
    return this.#byAddress.take(addressKey(address));
  }

  /** A request was counted by its address before its secret was found. */
  giveBack(address: string): void {
    this.#byAddress.giveBack(addressKey(address));
  }
}
