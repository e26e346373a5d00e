// Whether this process can use its database, as its own calls have found. The log has one line when that ends and one when it begins again.
import { errorCode, isNotReady } from './database/pool.ts';
import { isRemote } from './database/routed.ts';
import { NotReadyError } from './errors.ts';
import type { Log } from './log.ts';

/** unreachable: or not migrated, or for another reason of no use now. */
export type Outage = 'unreachable' | 'read_only' | 'disk_full';

export const OUTAGE_WORDS = {
  unreachable: "the database can't be used: requests get 503 and emails wait until it can",
  read_only: 'the database is read-only: requests get 503 and emails wait until it takes writes',
  disk_full: "the database's disk is full: requests get 503 and emails wait until it has space",
} as const;
export const OUTAGE_OVER = 'the database takes writes again';

/** What lasts no longer than a transaction of somebody else, or a moment of too much work. */
const PASSING = /^(40001|40P01|55P03|57014|55000|IT503)$/;

/** A disturbance that comes and goes is said at most once a minute. */
const EVERY_MS = 60_000;

interface State {
  outage: Outage | undefined;
  /** What the last line said. */
  said: Outage | undefined;
  since: number;
  trying: Promise<void> | undefined;
  readonly saidAt: Map<string, number>;
}

/** By log, because a process has one. */
const states = new WeakMap<Log, State>();

function stateOf(log: Log): State {
  const state = states.get(log) ?? { outage: undefined, said: undefined, since: 0, trying: undefined, saidAt: new Map() };
  states.set(log, state);
  return state;
}

/** Undefined: the error passes by itself, or isn't the database's. */
export function outageOf(error: unknown): Outage | undefined {
  if (!isNotReady(error) || isRemote(error)) return undefined;
  const code = errorCode(error) ?? '';
  if (code === '53100') return 'disk_full';
  if (error instanceof NotReadyError) {
    return error.database === 'busy' ? undefined : error.database === 'read_only' ? 'read_only' : 'unreachable';
  }
  if (code === '25006') return 'read_only';
  return PASSING.test(code) ? undefined : 'unreachable';
}

/** Logs an outage if it is news, and otherwise a disturbance, at most once a minute. @param doing What failed, for the log. */
export function logOutage(log: Log, error: unknown, doing: string, fields: object = {}): void {
  const { code, message: reason } = error as { code?: string; message?: string };
  const state = stateOf(log);
  const outage = outageOf(error);
  const now = performance.now();
  if (outage !== undefined) {
    if (state.outage === undefined) state.since = now;
    state.outage = outage;
    if (state.said === outage) return;
  }
  const key = outage ?? doing;
  if (now - (state.saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
  state.saidAt.set(key, now);
  const line = { code, reason, ...fields };
  if (outage === undefined) log.warn(line, doing);
  else {
    state.said = outage;
    log.error({ condition: outage, doing, ...line }, OUTAGE_WORDS[outage]);
  }
}

/**
 * After an outage: it is over once the database takes a write. Without one this costs nothing. Simultaneous callers share one write.
 * @param tryWrite Rejects with what still keeps the database from being written.
 */
export async function endOutage(log: Log, tryWrite: () => Promise<void>): Promise<void> {
  const state = states.get(log);
  if (state?.outage === undefined) return;
  state.trying ??= tryWrite().finally(() => {
    state.trying = undefined;
  });
  await state.trying;
  if (state.outage === undefined) return;
  const { said } = state;
  Object.assign(state, { outage: undefined, said: undefined });
  if (said !== undefined)
    log.warn({ condition: said, seconds: Math.round((performance.now() - state.since) / 1000) }, OUTAGE_OVER);
}
