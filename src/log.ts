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

/** Leaves out PostgreSQL's detail and context, which quote rows with addresses and link tokens. */
function errorFields(error: Error): object {
  const { type, message, stack, code, constraint_name } = pino.stdSerializers.err(error);
  return { type, message, stack, code, constraint_name };
}
