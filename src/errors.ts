// The closed list of errors that a client can get, and the errors that other parts throw. Imports nothing of ours.
// docs/http-api.md, openapi.json and the SQL outcomes are compared with ERROR_CODES by tests.

/** Every error code of the HTTP interface, with its status. */
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

/** One error in a payload: the field's path, such as `emails[2].email`, and the end of a sentence that begins with it. */
export interface ValidationError {
  readonly code: ErrorCode;
  readonly field: string;
  readonly message: string;
}

/** An error meant for a client, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ValidationError[];
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param code It decides the status.
   * @param message A sentence for the person who reads the answer.
   * @param more The payload's errors, and the whole seconds after which to try again (at least 1).
   */
  constructor(code: ErrorCode, message: string, more: { details?: ValidationError[]; retryAfterSeconds?: number } = {}) {
    // This is an answer, not a failure: nobody reads its stack, and capturing one costs more than rejecting the request.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.code = code;
    this.details = more.details ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_CODES[this.code];
  }
}

/** An ApiError about one field. */
export const invalidField = (field: string, message: string): ApiError =>
  new ApiError('invalid_field', `${field} ${message}.`, { details: [{ code: 'invalid_field', field, message }] });

/** The database can't respond now (unreachable, not migrated, overloaded): a client may try again. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** Something that the operator must fix; shown as one line, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
