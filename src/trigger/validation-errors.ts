// The validation errors of a payload: the checks of single values, their words, and the error that the caller gets. Pure.
import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { ApiError, type ErrorCode, type ValidationError } from '../errors.ts';
import { fitsEmail, MAX_EMAIL_BYTES, MAX_SUBJECT_BYTES, subjectBytes } from '../mail/size.ts';
import { withoutVariables } from '../mail/template.ts';
import { isStorable, nearest } from '../text.ts';
import { MAX_METADATA_DEPTH, type PayloadLimits } from './schema.ts';

export type Fields = Record<string, unknown>;

/** Adds an error: its code, the field's path, and the end of a sentence that begins with the field. */
export type AddError = (code: ErrorCode, field: string, message: string) => void;

/** The first of these codes among a payload's errors is the answer's. */
const CODE_ORDER: readonly ErrorCode[] = [
  'missing_recipient',
  'invalid_recipient',
  'too_many_recipients',
  'invalid_field',
  'unknown_field',
  'unsupported_timing',
];
const MAX_DETAILS = 100;
/** Characters of an unknown field's name that are repeated. */
const MAX_NAME = 100;
const TIMING = ['send_in_seconds', 'send_at'];
const NOT_STORABLE = "contains a character that can't be stored (\\u0000 or an unpaired surrogate)";

/** Combines all errors into one. */
export function toApiError(validationErrors: readonly ValidationError[]): ApiError {
  const code = CODE_ORDER.find((one) => validationErrors.some((error) => error.code === one)) ?? 'invalid_field';
  const first = validationErrors.find((error) => error.code === code);
  const more = validationErrors.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'error' : 'errors'})`;
  const sentence = `${first?.field} ${first?.message}${others}`;
  return new ApiError(code, sentence.endsWith('?') ? sentence : `${sentence}.`, {
    details: validationErrors.slice(0, MAX_DETAILS),
  });
}

/** null means omitted. */
export function withoutNulls(fields: Fields): Fields {
  const isMissing = (value: unknown) => value === null || value === undefined;
  if (!Object.values(fields).some(isMissing)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isMissing(value)));
}

/** The name of a field in a TypeBox error's path, which is a JSON pointer (RFC 6901). */
export const fieldOf = ({ path }: ValueError): string => path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Adds what TypeBox found.
 * @param field The field's whole path, for the answer.
 * @param known Names of the fields that the object may have.
 */
export function addSchemaError(add: AddError, field: string, error: ValueError, known: string[]): void {
  const { schema } = error;
  const name = field.split(/[.[]/)[0] ?? '';
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const near = nearest(fieldOf(error), known);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    add('unknown_field', field.slice(0, MAX_NAME), `isn't a field of this request${hint}`);
  } else if (TIMING.includes(name)) {
    add('unsupported_timing', field, rule(schema));
  } else {
    add(/^emails?\b/.test(field) && !field.endsWith('metadata') ? 'invalid_recipient' : 'invalid_field', field, rule(schema));
  }
}

/** What a schema requires, as the end of a sentence. */
export function rule(schema: TSchema): string {
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'string') {
    const minimum = schema.minLength === 1 ? 'non-empty ' : '';
    return `must be a ${minimum}string${schema.maxLength === undefined ? '' : ` of at most ${schema.maxLength} characters`}`;
  }
  return schema.type === 'array' ? 'must be an array with at least one recipient' : 'must be an object';
}

export function checkText(
  fields: Fields,
  name: string,
  add: AddError,
  rules: { oneLine?: boolean; maxBytes?: number; code?: ErrorCode; path?: string },
): void {
  const value = fields[name];
  if (typeof value !== 'string') return;
  const { code = 'invalid_field', path = name } = rules;
  if (rules.oneLine && /\p{Cc}/u.test(value)) add(code, path, 'must be one line without control characters');
  else if (!isStorable(value)) add(code, path, NOT_STORABLE);
  if (rules.maxBytes !== undefined && Buffer.byteLength(value) > rules.maxBytes) {
    add(code, path, `must be at most ${rules.maxBytes} bytes`);
  }
}

/** Refuses what could never be sent: the relay's line for the subject, and the size of the whole email. */
export function checkSize({ subject, message }: Fields, add: AddError): void {
  if (typeof subject === 'string' && subjectBytes(withoutVariables(subject)) > MAX_SUBJECT_BYTES) {
    add('invalid_field', 'subject', `must be at most ${MAX_SUBJECT_BYTES} bytes, encoded for an email header`);
  }
  if (typeof message === 'string' && !fitsEmail(message)) {
    add(
      'invalid_field',
      'message',
      `must give an email of at most ${MAX_EMAIL_BYTES / 1024} KiB, text and HTML together: use fewer variables, or a shorter text`,
    );
  }
}

export function checkMetadata(value: unknown, field: string, limits: PayloadLimits, add: AddError): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const error = metadataError(value, 0);
  const bytes = error === undefined ? Buffer.byteLength(JSON.stringify(value)) : 0;
  if (error !== undefined) {
    add('invalid_field', field, error);
  } else if (bytes > limits.maxMetadataBytes) {
    add('invalid_field', field, `must be at most ${limits.maxMetadataBytes} bytes as JSON, not ${bytes}`);
  }
}

/** What would not come back from the database as it was sent. */
function metadataError(value: unknown, depth: number): string | undefined {
  if (depth > MAX_METADATA_DEPTH) return `must not be nested more than ${MAX_METADATA_DEPTH} levels deep`;
  if (typeof value === 'string' && !isStorable(value)) return NOT_STORABLE;
  if (typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    return 'contains a number that would lose digits; send it as a string';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const error = (Array.isArray(value) ? undefined : metadataError(key, depth)) ?? metadataError(inner, depth + 1);
    if (error !== undefined) return error;
  }
  return undefined;
}
