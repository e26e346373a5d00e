// Collects the validation errors of a payload, and makes the error that the caller gets. Pure.
import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { ApiError, type ErrorCode, type ValidationError } from '../errors.ts';
import { fitsEmail, MAX_EMAIL_BYTES, MAX_SUBJECT_BYTES, subjectBytes } from '../mail/size.ts';
import { withoutVariables } from '../mail/template.ts';
import { formatNumber, hasDirectionMark, isStorable, nearest } from '../text.ts';
import { MAX_METADATA_DEPTH, type PayloadLimits } from './schema.ts';
import type { IsTimeZone } from './time-zones.ts';

export type Fields = Record<string, unknown>;

const CODE_ORDER: readonly ErrorCode[] = [
  'missing_recipient',
  'invalid_recipient',
  'too_many_recipients',
  'invalid_field',
  'unknown_field',
  'unsupported_timing',
];
/** Errors that are reported. Looking for more would only cost time. */
const MAX_ERRORS = 100;
/** Unknown fields for which the nearest known name is looked up. */
const MAX_HINTS = 5;
/** Fields that one object may have. */
export const MAX_FIELDS = 1_000;
/** Characters of an unknown field's name that an error repeats. */
const MAX_NAME = 100;
/** Names that other services use. */
const ALIASES: Readonly<Record<string, string>> = {
  to: 'email',
  recipient: 'email',
  address: 'email',
  recipients: 'emails',
  addresses: 'emails',
  contacts: 'emails',
  lang: 'language',
  locale: 'language',
  timezone: 'time_zone',
  tz: 'time_zone',
  title: 'subject',
  body: 'message',
  text: 'message',
  content: 'message',
  data: 'metadata',
  custom_data: 'metadata',
  attributes: 'metadata',
  delay: 'send_in_seconds',
  delay_seconds: 'send_in_seconds',
  schedule_at: 'send_at',
  scheduled_at: 'send_at',
  scheduled_for: 'send_at',
  api_key: 'token',
};
const TIMING = ['send_in_seconds', 'send_at'];
const NOT_STORABLE = "contains a character that can't be stored (\\u0000 or an unpaired surrogate)";

export class ErrorList {
  readonly #errors: ValidationError[] = [];
  #hints = 0;

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  get isFull(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  /** @param message The end of a sentence that begins with the field's path. */
  add(code: ErrorCode, field: string, message: string): void {
    if (!this.isFull) this.#errors.push({ code, field, message });
  }

  /** The known name that was probably meant. Only the first few unknown fields get a hint. */
  hint(name: string, known: readonly string[]): string | undefined {
    this.#hints += 1;
    if (this.#hints > MAX_HINTS) return undefined;
    const alias = Object.hasOwn(ALIASES, name.toLowerCase()) ? ALIASES[name.toLowerCase()] : undefined;
    return alias !== undefined && known.includes(alias) ? alias : nearest(name, known);
  }

  /** Undefined: no errors. */
  toApiError(): ApiError | undefined {
    const errors = this.#errors;
    if (this.isEmpty) return undefined;
    const code = CODE_ORDER.find((candidate) => errors.some((error) => error.code === candidate)) ?? 'invalid_field';
    const first = errors.find((error) => error.code === code);
    const rest = errors.length - 1;
    const others = rest === 0 ? '' : ` (and ${this.isFull ? 'at least ' : ''}${rest} more ${rest === 1 ? 'error' : 'errors'})`;
    const sentence = `${first?.field} ${first?.message}${others}`;
    return new ApiError(code, sentence.endsWith('?') ? sentence : `${sentence}.`, { details: errors });
  }
}

export const TOO_DEEP = `must not be nested more than ${MAX_METADATA_DEPTH} levels deep`;

/** Whether an object has more fields than any caller can mean to send. */
export const hasTooManyFields = (fields: Fields): boolean => Object.keys(fields).length > MAX_FIELDS;

export const TOO_MANY_FIELDS = `must have at most ${formatNumber(MAX_FIELDS)} fields`;

export const tooManyFields = (): ApiError => new ApiError('unknown_field', `The body ${TOO_MANY_FIELDS}.`);

/** null means omitted. */
export function withoutNulls(fields: Fields): Fields {
  const isMissing = (value: unknown) => value === null || value === undefined;
  if (!Object.values(fields).some(isMissing)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isMissing(value)));
}

/** A TypeBox error's path is a JSON pointer (RFC 6901). */
export const fieldOf = ({ path }: ValueError): string => path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Adds unknown fields last, because there may be many.
 * @param prefix The object's path, with the dot.
 * @param known The fields that it may have.
 */
export function addSchemaErrors(errors: ErrorList, prefix: string, found: Iterable<ValueError>, known: string[]): void {
  const isUnknown = ({ type }: ValueError) => type === ValueErrorType.ObjectAdditionalProperties;
  const seen = new Set<string>();
  for (const error of [...found].sort((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)))) {
    if (errors.isFull) return;
    const name = fieldOf(error);
    // TypeBox reports a missing field twice: as missing, and as a field of the wrong type.
    if (seen.has(name)) continue;
    seen.add(name);
    if (isUnknown(error)) addUnknownField(errors, prefix, name, known);
    else addFieldError(errors, prefix + name, error);
  }
}

function addUnknownField(errors: ErrorList, prefix: string, name: string, known: string[]): void {
  const near = /^emails\[\D*\]\[/.test(name) ? 'emails[0][email]' : errors.hint(name, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  errors.add('unknown_field', `${prefix}${name || '""'}`.slice(0, MAX_NAME), `isn't a field of this request${hint}`);
}

function addFieldError(errors: ErrorList, field: string, { schema, type }: ValueError): void {
  const isRecipient = /^emails?\b/.test(field) && !field.endsWith('metadata');
  const code = TIMING.includes(field) ? 'unsupported_timing' : isRecipient ? 'invalid_recipient' : 'invalid_field';
  errors.add(code, field, type === ValueErrorType.ObjectRequiredProperty ? 'is required' : rule(schema));
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
  errors: ErrorList,
  rules: { oneLine?: boolean; isName?: boolean; maxBytes?: number; code?: ErrorCode; path?: string },
): void {
  const value = fields[name];
  if (typeof value !== 'string') return;
  const { code = 'invalid_field', path = name } = rules;
  if (rules.oneLine && /\p{Cc}/u.test(value)) errors.add(code, path, 'must be one line without control characters');
  else if (rules.oneLine && !rules.isName && hasDirectionMark(value))
    errors.add(code, path, 'must have no marks that turn its direction (U+202A to U+202E, U+2066 to U+2069)');
  else if (!isStorable(value)) errors.add(code, path, NOT_STORABLE);
  if (rules.maxBytes !== undefined && Buffer.byteLength(value) > rules.maxBytes) {
    errors.add(code, path, `must be at most ${rules.maxBytes} bytes`);
  }
}

/** Finds texts that could never be sent: a subject that is too long for a header line, and a message that makes too large an email. */
export function checkSize({ subject, message }: Fields, errors: ErrorList): void {
  if (typeof subject === 'string' && subjectBytes(withoutVariables(subject)) > MAX_SUBJECT_BYTES) {
    errors.add('invalid_field', 'subject', `must be at most ${MAX_SUBJECT_BYTES} bytes, encoded for an email header`);
  }
  if (typeof message === 'string' && !fitsEmail(message)) {
    errors.add(
      'invalid_field',
      'message',
      `must give an email of at most ${MAX_EMAIL_BYTES / 1024} KiB, text and HTML together: use fewer variables, or a shorter text`,
    );
  }
}

export function checkTimeZone(value: unknown, field: string, code: ErrorCode, isTimeZone: IsTimeZone, errors: ErrorList): void {
  if (typeof value === 'string' && !isTimeZone(value))
    errors.add(code, field, 'must be a time zone of the IANA database, such as Europe/Berlin');
}

export function checkMetadata(value: unknown, field: string, limits: PayloadLimits, errors: ErrorList): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { maxMetadataBytes } = limits;
  const error = metadataError(value, 0, maxMetadataBytes, '');
  const bytes = error === undefined ? Buffer.byteLength(JSON.stringify(value)) : 0;
  if (error !== undefined) {
    errors.add('invalid_field', `${field}${error.path ?? ''}`.slice(0, MAX_NAME), error.message);
  } else if (bytes > maxMetadataBytes) {
    errors.add('invalid_field', field, `must be at most ${maxMetadataBytes} bytes as JSON, not ${bytes}`);
  }
}

/** Finds a value that the database wouldn't return as it was sent, or an object that is too large to check. */
function metadataError(
  value: unknown,
  depth: number,
  maxBytes: number,
  path: string,
): { path?: string; message: string } | undefined {
  if (depth > MAX_METADATA_DEPTH) return { message: TOO_DEEP };
  if (typeof value === 'string' && !isStorable(value)) return { path, message: NOT_STORABLE };
  if (typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    return { path, message: 'is a number that would lose digits; send it as a string' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  const { length } = isList ? value : Object.keys(value);
  if (length > maxBytes) return { message: `must be at most ${maxBytes} bytes as JSON` };
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return { path, message: `has a key that ${NOT_STORABLE}` };
    // The caller cuts the path to MAX_NAME characters, so a longer path isn't extended.
    const innerPath = path.length > MAX_NAME ? path : `${path}${isList ? `[${key}]` : `.${key.slice(0, MAX_NAME)}`}`;
    const error = metadataError(inner, depth + 1, maxBytes, innerPath);
    if (error !== undefined) return error;
  }
  return undefined;
}
