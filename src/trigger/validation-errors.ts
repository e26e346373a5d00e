// The faults of a payload: how they are collected, worded and answered. Pure.
import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { ApiError, type ErrorCode, type Fault } from '../errors.ts';
import { nearest } from './nearest.ts';

export type CodedFault = Fault & { readonly code: ErrorCode };

/** In which order a payload's faults decide the answer's code. */
const CODE_ORDER: readonly ErrorCode[] = [
  'missing_recipient',
  'invalid_recipient',
  'too_many_recipients',
  'invalid_field',
  'unknown_field',
  'unsupported_timing',
];
const MAX_DETAILS = 100;
/** An unknown field's name is repeated up to here, in characters. */
const MAX_NAME = 100;
const TIMING = ['send_in_seconds', 'send_at'];

/** Notes one fault: its code, the field's path, and the end of a sentence that begins with the field. */
export type Add = (code: ErrorCode, field: string, message: string) => void;

/** All faults in one error; CODE_ORDER decides its code. */
export function refuse(faults: CodedFault[]): ApiError {
  const code = CODE_ORDER.find((one) => faults.some((fault) => fault.code === one)) ?? 'invalid_field';
  const first = faults.find((fault) => fault.code === code);
  const more = faults.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'fault' : 'faults'})`;
  const said = `${first?.field} ${first?.message}${others}`;
  return new ApiError(code, said.endsWith('?') ? said : `${said}.`, {
    details: faults.slice(0, MAX_DETAILS).map(({ field, message }) => ({ field, message })),
  });
}

/** The name of a field in an error's path, which is a JSON pointer (RFC 6901). */
export const fieldOf = ({ path }: ValueError): string => path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Notes what TypeBox found.
 * @param field The field's whole path, for the answer.
 * @param known Names of the fields that the object may have.
 */
export function addSchemaFault(add: Add, field: string, error: ValueError, known: string[]): void {
  const { schema } = error;
  const name = field.split(/[.[]/)[0] ?? '';
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const near = nearest(fieldOf(error), known);
    add(
      'unknown_field',
      field.slice(0, MAX_NAME),
      `is not a field of this request${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  } else if (TIMING.includes(name)) {
    add('unsupported_timing', field, rule(schema));
  } else {
    add(/^emails?\b/.test(field) && !field.endsWith('metadata') ? 'invalid_recipient' : 'invalid_field', field, rule(schema));
  }
}

/** What a schema asks for, as a sentence's end. */
export function rule(schema: TSchema): string {
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'string') {
    const least = schema.minLength === 1 ? 'non-empty ' : '';
    return `must be a ${least}string${schema.maxLength === undefined ? '' : ` of at most ${schema.maxLength} characters`}`;
  }
  return schema.type === 'array' ? 'must be an array with at least one recipient' : 'must be an object';
}
