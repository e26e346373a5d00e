// JSON log lines on standard error. Standard output is for results.
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * The log redacts nothing, so callers must never pass a secret, token, query string, invitation link or body.
 * @param level The minimum level.
 * @param destination Standard error, unless a test reads the log.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
  };
  return pino(options, destination);
}

const SAY_AGAIN_MS = 60_000;
const said = new WeakMap<Log, Map<string, number>>();

/** Logs a fault that may last and ends by itself: one short line at once, and then at most one a minute. */
export function logOutage(log: Log, error: unknown, message: string, fields: object = {}): void {
  const { code, message: reason } = error as { code?: string; message?: string };
  const times = said.get(log) ?? new Map<string, number>();
  said.set(log, times);
  const key = `${message} ${code ?? reason}`;
  const now = performance.now();
  if (now - (times.get(key) ?? Number.NEGATIVE_INFINITY) < SAY_AGAIN_MS) return;
  times.set(key, now);
  log.error({ code, reason, ...fields }, message);
}

/** Leaves out PostgreSQL's detail and context, which quote rows with addresses and link tokens. */
function errorFields(error: Error): object {
  const { type, message, stack, code, constraint_name } = pino.stdSerializers.err(error);
  return { type, message, stack, code, constraint_name };
}
