// Structured logs: JSON lines on standard error (standard output belongs to the commands' answers). Imports nothing of ours.
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Makes the log of a process.
 * No caller passes a secret, a token, a query string, an invitation link or a request body: there is nothing to redact, and a
 * test reads what a whole flow has logged.
 * @param level Least level that is written.
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

/** What is logged of an error. PostgreSQL's detail and context are not: they quote rows, which hold addresses and link tokens. */
function errorFields(error: Error): object {
  const { type, message, stack, code, constraint_name } = pino.stdSerializers.err(error);
  return { type, message, stack, code, constraint_name };
}
