// Parses the body of a trigger request, JSON or a form. Pure.
import type { IncomingMessage } from 'node:http';
import { ApiError, invalidField } from '../errors.ts';
import { MAX_FIELDS, tooManyFields } from './validation-errors.ts';

/**
 * A form's integers become numbers.
 * @throws {ApiError} unsupported_content_type or invalid_json.
 */
export function parseBody(request: IncomingMessage, body: Buffer): Record<string, unknown> {
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
  if (type === 'application/json') return parseJson(decode(body));
  if (type === 'application/x-www-form-urlencoded') return parseForm(decode(body));
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

const INTEGERS = new Set(['reminder_days', 'send_in_seconds']);

/** An empty value means omitted; emails may be repeated; metadata is JSON, or fields such as metadata[order_id]. */
function parseForm(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  const metadata: [string, string][] = [];
  const emails: string[] = [];
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    if (value === '') continue;
    if (key !== undefined) metadata.push([key, value]);
    else if (name === 'emails' || name === 'emails[]') emails.push(value);
    else if (Object.hasOwn(fields, name)) throw sentTwice(name);
    else if (count >= MAX_FIELDS) throw tooManyFields();
    else {
      count += 1;
      fields[name] =
        INTEGERS.has(name) && /^-?\d+$/.test(value) ? Number(value) : name === 'metadata' ? jsonOrText(value) : value;
    }
  }
  if (emails.length > 0) fields.emails = emails;
  if (metadata.length > 0) {
    if (Object.hasOwn(fields, 'metadata')) throw sentTwice('metadata');
    // metadata[__proto__] is data like any other.
    fields.metadata = Object.fromEntries(metadata);
  }
  return fields;
}

const sentTwice = (field: string): ApiError => invalidField(field, 'must be sent only once');

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
