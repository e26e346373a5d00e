// Parses the body of a trigger request, JSON or a form. Pure.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { parseForm } from './parse-form.ts';

const FORM = 'application/x-www-form-urlencoded';

export const isForm = ({ headers }: IncomingMessage): boolean =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;

/**
 * A form's integers become numbers.
 * @param maxRecipients The most recipients of a request.
 * @throws {ApiError} unsupported_content_type or invalid_json.
 */
export function parseBody(request: IncomingMessage, body: Buffer, maxRecipients: number): Record<string, unknown> {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity') {
    throw new ApiError('unsupported_content_type', 'The body must not be compressed.');
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new ApiError('unsupported_content_type', 'The body must be encoded in UTF-8.');
  }
  if (body.length === 0 && type !== FORM) {
    const code = type === 'application/json' ? 'invalid_json' : 'unsupported_content_type';
    throw new ApiError(code, 'The body is empty: send the fields in it, with Content-Type: application/json.');
  }
  if (type === 'application/json') return parseJson(decode(body));
  if (type === FORM) return parseForm(decode(body), maxRecipients);
  throw new ApiError('unsupported_content_type', 'Content-Type must be application/json or application/x-www-form-urlencoded.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid UTF-8.');
  }
}

function parseJson(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8's message quotes the text, which may hold a secret.
    const place = /position \d+/.exec((error as Error).message)?.[0];
    throw new ApiError('invalid_json', `The body is not valid JSON${place === undefined ? '' : ` (at ${place})`}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid_json', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}
