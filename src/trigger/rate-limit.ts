// The rate limit of one process: it rejects a caller in a hot loop without asking PostgreSQL. The cooldown and the workspace's quota, which
// are exact across all processes, are decided in SQL.

/** A token bucket: starts full, refills evenly over a minute. */
interface Bucket {
  level: number;
  at: number;
}

/** In each table; the least recently used entry goes first. */
const MAX_ENTRIES = 50_000;
const MINUTE = 60_000;

export interface FloodLimits {
  readonly requestsPerMinute: number;
  readonly unknownPerMinute: number;
}

export class FloodGuard {
  readonly #limits: FloodLimits;
  readonly #clock: () => number;
  /** Tokens that exist, by the hash of their secret. */
  readonly #byToken = new Map<string, Bucket>();
  /** Clients that have sent unknown tokens, by address. */
  readonly #byAddress = new Map<string, Bucket>();

  /** @param clock Milliseconds; for tests. */
  constructor(limits: FloodLimits, clock: () => number = Date.now) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts a request with a known token; for any other, checks its address.
   * @returns Undefined if it may pass, otherwise the whole seconds after which to try again.
   */
  check(tokenHash: string, address: string): number | undefined {
    if (this.#byToken.has(tokenHash)) return this.#take(this.#byToken, tokenHash, this.#limits.requestsPerMinute);
    const bucket = this.#byAddress.get(addressKey(address));
    if (bucket === undefined) return undefined;
    const level = this.#refill(bucket, this.#limits.unknownPerMinute);
    return level >= 1 ? undefined : secondsUntilOne(level, this.#limits.unknownPerMinute);
  }

  /** Records whether a token that check let pass exists. */
  record(tokenHash: string, address: string, known: boolean): void {
    if (known && !this.#byToken.has(tokenHash)) this.#take(this.#byToken, tokenHash, this.#limits.requestsPerMinute);
    if (!known) {
      this.#byToken.delete(tokenHash);
      this.#take(this.#byAddress, addressKey(address), this.#limits.unknownPerMinute);
    }
  }

  /** Counts an attempt from a client address, whatever its outcome. Returns what check returns. */
  attempt(address: string): number | undefined {
    return this.#take(this.#byAddress, addressKey(address), this.#limits.unknownPerMinute);
  }

  #take(table: Map<string, Bucket>, key: string, perMinute: number): number | undefined {
    const bucket = table.get(key) ?? { level: perMinute, at: this.#clock() };
    this.#refill(bucket, perMinute);
    // Deleted and set again: a Map keeps insertion order, so its first entry is the least recently used.
    table.delete(key);
    table.set(key, bucket);
    if (table.size > MAX_ENTRIES) table.delete(table.keys().next().value ?? '');
    if (bucket.level < 1) return secondsUntilOne(bucket.level, perMinute);
    bucket.level -= 1;
    return undefined;
  }

  #refill(bucket: Bucket, perMinute: number): number {
    const now = this.#clock();
    // A clock set back must not drain the bucket.
    const passed = Math.max(0, now - bucket.at);
    bucket.level = Math.min(perMinute, bucket.level + (passed / MINUTE) * perMinute);
    bucket.at = now;
    return bucket.level;
  }
}

const secondsUntilOne = (level: number, perMinute: number): number => Math.max(1, Math.ceil(((1 - level) / perMinute) * 60));

/** An IPv6 customer has a whole /64: counting single addresses would limit nobody. */
function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined)
    groups.push(...Array.from({ length: 8 - groups.length - tail.split(':').filter(Boolean).length }, () => '0'));
  return groups.slice(0, 4).join(':');
}
