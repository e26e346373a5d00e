// RELAY_RATE as one worker sees it: how many emails are worth asking for now. The database decides over all workers (admit_sends); this only
// saves the claims that it would turn down.

export interface Pace {
  /** How many may be asked for now. */
  allowed(): number;
  spend(emails: number): void;
  /** For what was asked for and needed no place: it was gone, held or suppressed. */
  refund(emails: number): void;
  /** Milliseconds until so many are allowed, or half a second's worth: a full bucket would lose what comes while a timer is late. */
  msUntil(emails: number): number;
}

/** @param rate Emails per second; undefined: no limit. */
export function createPace(rate: number | undefined, now: () => number = () => performance.now()): Pace {
  if (rate === undefined) return { allowed: () => Number.POSITIVE_INFINITY, spend() {}, refund() {}, msUntil: () => 0 };
  let allowance = rate;
  let at = now();
  const refill = () => {
    allowance = Math.min(rate, allowance + ((now() - at) / 1000) * rate);
    at = now();
  };
  return {
    allowed() {
      refill();
      return Math.floor(allowance);
    },
    spend(emails) {
      allowance -= emails;
    },
    refund(emails) {
      allowance += emails;
    },
    msUntil(emails) {
      refill();
      return Math.ceil(((Math.min(emails, Math.ceil(rate / 2)) - allowance) / rate) * 1000);
    },
  };
}
