// A rate limit within one process. Each key has a token bucket that refills evenly: 60 a minute is one a second.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { addressKey } from './address.ts';

interface Bucket {
  level: number;
  at: number;
}

/** Keys that are remembered. The least recently used key is dropped first. */
const MAX_ENTRIES = 50_000;
const MINUTE = 60_000;

export class RateLimit {
  readonly #perMinute: number;
  readonly #burst: number;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /**
   * @param burst Requests that a full bucket holds.
   * @param clock Milliseconds; for tests.
   */
  constructor(perMinute: number, { burst = perMinute, clock = Date.now }: { burst?: number; clock?: () => number } = {}) {
    this.#perMinute = perMinute;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Returns undefined if the request may pass, otherwise the whole seconds to wait. */
  take(key: string): number | undefined {
    const now = this.#clock();
    const bucket = this.#buckets.get(key) ?? { level: this.#burst, at: now };
    // A clock set back must not drain the bucket.
    const refill = (Math.max(0, now - bucket.at) / MINUTE) * this.#perMinute;
    bucket.level = Math.min(this.#burst, bucket.level + refill);
    bucket.at = now;
    // A Map keeps insertion order: its first entry is the least recently used.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_ENTRIES) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    if (bucket.level < 1) return Math.max(1, Math.ceil(((1 - bucket.level) / this.#perMinute) * 60));
    bucket.level -= 1;
    return undefined;
  }

  /** Undoes take() for a request that must not count. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.level = Math.min(this.#burst, bucket.level + 1);
  }

  has(key: string): boolean {
    return this.#buckets.has(key);
  }

  delete(key: string): void {
    this.#buckets.delete(key);
  }
}

export class AddressLimit {
  readonly #limit: RateLimit;
  readonly #clientAddress: (request: IncomingMessage) => string;
  readonly #refusal: string;

  /** @param refusal The error message for clients over the limit. */
  constructor(
    perMinute: number,
    clientAddress: (request: IncomingMessage) => string,
    refusal = 'Too many requests from your address.',
  ) {
    this.#limit = new RateLimit(perMinute);
    this.#clientAddress = clientAddress;
    this.#refusal = refusal;
  }

  /** @throws {ApiError} flood_protection. */
  take(request: IncomingMessage): void {
    const retryAfterSeconds = this.#limit.take(addressKey(this.#clientAddress(request)));
    if (retryAfterSeconds === undefined) return;
    throw new ApiError('flood_protection', this.#refusal, { retryAfterSeconds });
  }

  /** Undoes take() for a request that has proved to be legitimate. */
  giveBack(request: IncomingMessage): void {
    this.#limit.giveBack(addressKey(this.#clientAddress(request)));
  }

  before<R extends IncomingMessage, A>(handler: (request: R) => A): (request: R) => A {
    return (request) => {
      this.take(request);
      return handler(request);
    };
  }
}
