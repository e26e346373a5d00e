// Reads a request body: bounded in bytes, JSON or a form, and nothing else.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

/**
 * Reads the whole body.
 * @throws {ApiError} body_too_large; invalid_json if the caller hangs up. What is left of a body that is too large is read and dropped, so
 *   that the client gets to see the answer; a body that never ends is ended by the server's requestTimeout.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(new ApiError('body_too_large', `The body must have at most ${maxBytes} bytes.`));
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    // The caller hung up. The error's code, ECONNRESET, would read as if the database had.
    request.on('error', () => reject(new ApiError('invalid_json', 'The body was cut off.')));
  });
}

/**
 * The fields of a body by its content type: a JSON object, or a form whose integers are read as such.
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
    // V8's message quotes the text, which may hold a secret; only the place is passed on.
    const place = /position \d+/.exec((error as Error).message)?.[0];
    throw new ApiError('invalid_json', `The body is not valid JSON${place === undefined ? '' : ` (at ${place})`}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid_json', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

const INTEGERS = new Set(['reminder_days', 'send_in_seconds']);

/** A form: an empty value is omitted; emails may be repeated; metadata is JSON text, or fields like metadata[order_id]. */
function parseForm(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  const metadata: [string, string][] = [];
  const emails: string[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    if (value === '') continue;
    if (key !== undefined) metadata.push([key, value]);
    else if (name === 'emails' || name === 'emails[]') emails.push(value);
    else if (Object.hasOwn(fields, name)) throw sentTwice(name);
    else
      fields[name] =
        INTEGERS.has(name) && /^-?\d+$/.test(value) ? Number(value) : name === 'metadata' ? jsonOrText(value) : value;
  }
  if (emails.length > 0) fields.emails = emails;
  if (metadata.length > 0) {
    if (Object.hasOwn(fields, 'metadata')) throw sentTwice('metadata');
    // From entries: a field named metadata[__proto__] is data like any other.
    fields.metadata = Object.fromEntries(metadata);
  }
  return fields;
}

const sentTwice = (field: string): ApiError =>
  new ApiError('invalid_field', `${field} must be sent once.`, { details: [{ field, message: 'must be sent once' }] });

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
