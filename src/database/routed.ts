// Errors that a router passes on (src/cells). PL/Proxy writes in front of a cell's message where it comes from, and leaves out the constraint.
import { NotReadyError } from '../errors.ts';

interface DatabaseError extends Error {
  code?: string;
  detail?: string;
  constraint_name?: string;
  /** The cell's, so the router itself is well. */
  remote?: boolean;
}

/** One cell doesn't respond. Requests to others are served. */
export class CellDownError extends NotReadyError {
  constructor(reason: string, cause?: Error) {
    super(`a cell can't respond: ${reason.trim()}`, 'busy');
    this.cause = cause;
  }
}

/** Such as `console.surveys(6): [invitations] REMOTE ERROR: there is no workspace w`. A lost connection has no severity and no message. */
const REMOTE = /^[\w."]+\(\d+\): \[[^\]]*\] REMOTE (\S+): (.*)$/s;
/** PL/Proxy's own: no connection, or one that broke. */
const BROKEN =
  /^PL\/Proxy function .*?: (.*(?:PQ[a-z]\w+: |query timeout|connect timeout|Lost result|Unfinished connection).*)$/s;
/** A cell ends or refuses connections, or takes no writes. */
const CELL_NOT_READY = /^(08|28|53|57P|25006|3D000|3F000)/;

/**
 * The error as it would be without a router between. What means that a cell can't respond now becomes a CellDownError, which is this request's alone. Other
 * errors are returned as they are.
 */
export function asDirect(thrown: unknown): unknown {
  const error = thrown as DatabaseError;
  if (!(thrown instanceof Error) || error.code === undefined) return thrown;
  const broken = BROKEN.exec(error.message)?.[1];
  if (broken !== undefined) return new CellDownError(broken, error);
  const [, severity, message] = REMOTE.exec(error.message) ?? [];
  if (message === undefined) return thrown;
  if (severity === '(null)') return new CellDownError('the connection was lost', error);
  if (CELL_NOT_READY.test(error.code)) return new CellDownError(message, error);
  const constraint = /^(23|22023|25000|54000|IT)/.test(error.code) ? constraintIn(message) : undefined;
  if (constraint !== undefined) error.constraint_name = constraint;
  if (error.detail !== undefined) error.detail = error.detail.replace(/^Remote detail: /, '');
  error.message = message;
  error.remote = true;
  return error;
}

/**
 * Our own messages end with the name in parentheses. PostgreSQL's have it in quotes, in every language, beside its table's, with which it begins.
 */
function constraintIn(message: string): string | undefined {
  const own = /\(([a-z0-9_]+)\)$/.exec(message)?.[1];
  if (own !== undefined) return own;
  const names = [...message.matchAll(/["'«»„“”‘’「]([a-z0-9_]+)["'«»„“”‘’」]/g)].map(([, name = '']) => name);
  return names.find((name) => names.some((other) => name.startsWith(`${other}_`))) ?? names.at(-1);
}

/** Whether an error came from a cell, so that the database of DATABASE_URL itself is well. */
export const isRemote = (error: unknown): boolean => (error as DatabaseError | null)?.remote === true;
