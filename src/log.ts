// Structured logs: JSON lines on standard error (standard output belongs to the commands' answers). Imports nothing of ours.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Makes the log of a process.
 * No caller passes a secret, a token, a query string, an invitation link or a request body: there is nothing to redact, and a
 * test reads what a whole flow has logged.
 * @param level Least level that is written.
 */
export function createLog(level: string): Log {
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
