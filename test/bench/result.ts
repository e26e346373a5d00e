// The results of a part, and the arithmetic on them. A ratio is calculated for each round, so that a slow minute of the machine affects
// both sides.

/** The results of one contender, one value per round. */
export interface Series {
  readonly name: string;
  readonly unit: 'requests/s' | 'emails/s' | 'rows/s' | 'µs' | 'ms' | 's' | 'MB' | 'kB' | 'bytes';
  readonly values: readonly number[];
  /** In milliseconds. */
  readonly p99?: readonly number[] | undefined;
  /** Our figure divided by this one, one value per round. */
  readonly ratio?: readonly number[] | undefined;
}

export interface Result {
  readonly part: string;
  readonly title: string;
  /** The size of this run: counts and times. */
  readonly used: string;
  readonly series: readonly Series[];
}

export interface Report {
  readonly machine: string;
  readonly versions: string;
  readonly scale: number;
  readonly at: string;
  readonly results: readonly Result[];
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const ratios = (ours: readonly number[], reference: readonly number[]): number[] =>
  ours.map((value, round) => value / (reference[round] ?? Number.NaN));

/**
 * Runs the contenders in turn: first a warm-up, then the rounds.
 * @param contenders Each is told whether this is the warm-up.
 */
export async function inRounds<T, Name extends string>(
  contenders: Record<Name, (warmUp: boolean) => Promise<T>>,
  rounds = 3,
): Promise<Record<Name, T[]>> {
  const entries = Object.entries(contenders) as [Name, (warmUp: boolean) => Promise<T>][];
  const found = Object.fromEntries(entries.map(([name]) => [name, [] as T[]])) as Record<Name, T[]>;
  for (const [, run] of entries) await run(true);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of entries) found[name].push(await run(false));
  }
  return found;
}
