// The flood guard of one process: a hot loop is refused here and never reaches PostgreSQL. The cooldown and the volume limit, which
// are exact over all processes, are SQL's.

/** A token bucket: starts full, refills evenly over a minute. */
interface Bucket {
  level: number;
  at: number;
}

/** Entries at the most in each table; the least recently used goes first. */
const MAX_ENTRIES = 50_000;
const MINUTE = 60_000;

export interface FloodLimits {
  readonly requestsPerMinute: number;
  readonly unknownPerMinute: number;
}

export class FloodGuard {
  readonly #limits: FloodLimits;
  readonly #clock: () => number;
  /** Tokens that the database knows, by the hash of their secret. */
  readonly #known = new Map<string, Bucket>();
  /** Client addresses that have presented unknown tokens. */
  readonly #strangers = new Map<string, Bucket>();

  /** @param clock Milliseconds; for tests. */
  constructor(limits: FloodLimits, clock: () => number = Date.now) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts a request of a known token; looks at the address of any other.
   * @returns Undefined if it may pass, otherwise after how many whole seconds to try again.
   */
  check(tokenHash: string, address: string): number | undefined {
    const known = this.#known.get(tokenHash);
    if (known !== undefined) return this.#take(this.#known, tokenHash, this.#limits.requestsPerMinute);
    const stranger = this.#strangers.get(addressKey(address));
    if (stranger === undefined) return undefined;
    const level = this.#refill(stranger, this.#limits.unknownPerMinute);
    return level >= 1 ? undefined : secondsUntilOne(level, this.#limits.unknownPerMinute);
  }

  /** Tells what the database said of a token that check let pass. */
  learn(tokenHash: string, address: string, known: boolean): void {
    if (known && !this.#known.has(tokenHash)) this.#take(this.#known, tokenHash, this.#limits.requestsPerMinute);
    if (!known) {
      this.#known.delete(tokenHash);
      this.#take(this.#strangers, addressKey(address), this.#limits.unknownPerMinute);
    }
  }

  /** Counts an attempt of a client address, whatever comes of it. @returns As check. */
  attempt(address: string): number | undefined {
    return this.#take(this.#strangers, addressKey(address), this.#limits.unknownPerMinute);
  }

  #take(table: Map<string, Bucket>, key: string, perMinute: number): number | undefined {
    const bucket = table.get(key) ?? { level: perMinute, at: this.#clock() };
    this.#refill(bucket, perMinute);
    // Deleted and set again: a Map keeps the order of insertion, so the first entry is the least recently used.
    table.delete(key);
    table.set(key, bucket);
    if (table.size > MAX_ENTRIES) table.delete(table.keys().next().value ?? '');
    if (bucket.level < 1) return secondsUntilOne(bucket.level, perMinute);
    bucket.level -= 1;
    return undefined;
  }

  #refill(bucket: Bucket, perMinute: number): number {
    const now = this.#clock();
    // A clock that is set back must not drain the bucket.
    const passed = Math.max(0, now - bucket.at);
    bucket.level = Math.min(perMinute, bucket.level + (passed / MINUTE) * perMinute);
    bucket.at = now;
    return bucket.level;
  }
}

const secondsUntilOne = (level: number, perMinute: number): number => Math.max(1, Math.ceil(((1 - level) / perMinute) * 60));

/** An IPv6 customer has a whole /64; counting single addresses would count nothing. */
function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined)
    groups.push(...Array.from({ length: 8 - groups.length - tail.split(':').filter(Boolean).length }, () => '0'));
  return groups.slice(0, 4).join(':');
}
