// The header Idempotency-Key: its rules, and the hash that tells whether two payloads are the same.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Idempotency, TriggerRequest } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './schema.ts';

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * What SQL needs to recognize a repeated request.
 * @returns undefined without the header.
 * @throws {ApiError} invalid_field, if the header is there and is not a key.
 */
export function readIdempotency(request: IncomingMessage, trigger: TriggerRequest): Idempotency | undefined {
  const keys = request.headersDistinct['idempotency-key'];
  if (keys === undefined) return undefined;
  const [key = '', ...others] = keys;
  if (others.length > 0 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH || !PRINTABLE_ASCII.test(key)) {
    const message = `must be sent once, with 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters`;
    throw new ApiError('invalid_field', `Idempotency-Key ${message}.`, { details: [{ field: 'Idempotency-Key', message }] });
  }
  return { key, payloadHash: hashPayload(trigger) };
}

/**
 * SHA-256 of a checked payload: of what it means, not of its bytes. White space, the order of keys, null for omitted, and JSON or
 * form make no difference; neither does the secret, which is no part of it.
 */
export const hashPayload = (trigger: TriggerRequest): Buffer =>
  createHash('sha256')
    .update(canonical({ ...trigger, sendAt: trigger.sendAt?.toISOString() }))
    .digest();

/** JSON with the keys of objects in order of their UTF-16 code units, as in RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, content]) => `${JSON.stringify(key)}:${canonical(content)}`).join(',')}}`;
}
