// Text as people read it: numbers, plurals, times. Imports nothing of ours.

/** 12345 → `12,345`. */
export const formatNumber = (number: number): string => number.toLocaleString('en-US');

/** `1 email`, `2 emails`. @param nouns Where the plural isn't the noun with an s. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`;

const LENGTHS = { minute: 16, second: 19, millisecond: 23 } as const;

/** `2030-01-31 12:00:00`, in UTC. */
export const formatUtc = (at: Date, to: keyof typeof LENGTHS = 'second'): string =>
  at.toISOString().slice(0, LENGTHS[to]).replace('T', ' ');
