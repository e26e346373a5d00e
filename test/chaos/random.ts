// Seeded randomness. SEED repeats the choices of a run, but not the timing of the machine.

/** The seed of this run. */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));

export interface Random {
  /** Returns a whole number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/**
 * Returns the generator of a name. Each concurrent run has its own, so that they don't change each other's choices. The algorithm is
 * mulberry32, public domain.
 */
export function createRandom(name: number): Random {
  let state = (SEED + Math.imul(name + 1, 0x9e3779b1)) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
}
