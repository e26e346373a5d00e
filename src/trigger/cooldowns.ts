// Callers in a hot loop: a token that the database refuses for its cooldown again and again is answered for a moment without asking it.
// Whoever is not hot is decided by the database, so that a change of the token is seen at once.
import type { TriggerAnswer } from '../database/store.ts';

type Refused = Exclude<TriggerAnswer, { outcome: 'accepted' }>;

/** So many refusals of the database, each within HOT_WITHIN of the one before, make a token hot. */
const HOT_FROM = 5;
/** Milliseconds. */
const HOT_WITHIN = 1000;
/** For how long a refusal of a hot token is repeated. Milliseconds. */
const REPEATED = 100;
const MAX_TOKENS = 10_000;

export interface Cooldowns {
  /** @param key Tells tokens apart. @returns The refusal to repeat, if the token is hot. */
  find(key: string): Refused | undefined;
  /** Tells what the database has answered. */
  learn(key: string, answer: TriggerAnswer): void;
}

/** @param clock Milliseconds; for tests. */
export function createCooldowns(clock: () => number = () => performance.now()): Cooldowns {
  const refused = new Map<string, { answer: Refused; count: number; at: number }>();
  return {
    find(key) {
      const entry = refused.get(key);
      return entry !== undefined && entry.count >= HOT_FROM && clock() < entry.at + REPEATED ? entry.answer : undefined;
    },
    learn(key, answer) {
      // Whole seconds, rounded up: with one of them the cooldown may be over in a moment.
      if (answer.outcome !== 'cooldown' || (answer.retryAfterSeconds ?? 0) < 2) {
        refused.delete(key);
        return;
      }
      const before = refused.get(key);
      const now = clock();
      const count = before !== undefined && now < before.at + HOT_WITHIN ? before.count + 1 : 1;
      if (refused.size >= MAX_TOKENS) refused.clear();
      refused.set(key, { answer, count, at: now });
    },
  };
}
