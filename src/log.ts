// Structured logs: JSON lines on standard error (standard output is for the commands' results). Imports nothing of ours.
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Creates a process's log. Callers never pass a secret, a token, a query string, an invitation link or a request body, so nothing is
 * redacted here; a test reads the log of a whole flow.
 * @param level Minimum level.
 * @param destination Standard error, unless a test reads it.
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

/** An error's fields for the log. Without PostgreSQL's detail and context: they quote rows, which hold addresses and link tokens. */
function errorFields(error: Error): object {
  const { type, message, stack, code, constraint_name } = pino.stdSerializers.err(error);
  return { type, message, stack, code, constraint_name };
}
