// Small pieces of text that people read. Imports nothing of ours.

/** `1 email`, `2 emails`. @param many The plural, if it is not the noun and an s. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
