// The errors that a client can get, and the errors that other modules throw. Tests compare ERROR_CODES with docs/http-api.md, openapi.json
// and SQL.

/** The error codes, with their HTTP statuses. */
export const ERROR_CODES = {
  invalid_json: 400,
  unsupported_content_type: 400,
  body_too_large: 400,
  missing_token: 400,
  unknown_token: 400,
  idempotency_key_reused: 400,
  missing_recipient: 400,
  invalid_recipient: 400,
  too_many_recipients: 400,
  invalid_field: 400,
  unknown_field: 400,
  unsupported_timing: 400,
  survey_disabled: 400,
  workspace_disabled: 400,
  plan_required: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  cooldown: 429,
  flood_protection: 429,
  internal_error: 500,
  not_ready: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** field: its path, such as `emails[2].email`. message: the rest of a sentence that starts with the field. */
export interface ValidationError {
  readonly code: ErrorCode;
  readonly field: string;
  readonly message: string;
  /** For flood_protection: the limit, and how much of it is left. */
  readonly limit?: number;
  readonly remaining?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ValidationError[];
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param code Decides the HTTP status.
   * @param message A sentence for people.
   * @param options details: the errors of the payload. retryAfterSeconds: when to try again, at least 1. cause: what the log gets instead of
   * this error.
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly ValidationError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    // Nobody reads the stack of this error, and capturing a stack costs more than rejecting the request.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    Error.stackTraceLimit = limit;
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_CODES[this.code];
  }
}

export const invalidField = (field: string, message: string): ApiError =>
  new ApiError('invalid_field', `${field} ${message}.`, { details: [{ code: 'invalid_field', field, message }] });

export const missingToken = (): ApiError =>
  new ApiError('missing_token', 'The trigger secret is missing: send it as Authorization: Bearer <secret>.');

/** The database can't respond now (it is unreachable, not migrated or overloaded), so the client should try again. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
  /** What /readyz reports about the database. busy: it is in use, and only this request has to wait. */
  readonly database: 'not_ready' | 'read_only' | 'busy';

  constructor(message: string, database: NotReadyError['database'] = 'not_ready') {
    super(message);
    this.database = database;
  }
}

/** The client has disconnected, so there is no response and nothing to report. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** The kinds of failure of a command, with their exit codes. docs/operations.md has the same table. */
export const EXIT_CODES = { internal: 1, usage: 2, not_found: 3, rejected: 4, unavailable: 5, setup: 6, attention: 7 } as const;

export type FailureKind = keyof typeof EXIT_CODES;

/** An error for the operator to fix. It is shown as one line, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: FailureKind;

  constructor(message: string, { kind = 'setup', cause }: { kind?: FailureKind; cause?: unknown } = {}) {
    super(message, { cause });
    this.kind = kind;
  }
}
