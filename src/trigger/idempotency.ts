// The header Idempotency-Key, and the hash that tells payloads apart.
import type { IncomingMessage } from 'node:http';
import type { Idempotency, TriggerRequest } from '../database/store.ts';
import { invalidField } from '../errors.ts';
import { sha256 } from '../secret.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './schema.ts';

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * Undefined: the request has no such header.
 * @throws {ApiError} invalid_field.
 */
export function readIdempotency(request: IncomingMessage, trigger: TriggerRequest): Idempotency | undefined {
  const keys = request.headersDistinct['idempotency-key'];
  if (keys === undefined) return undefined;
  const [key = '', ...others] = keys;
  if (others.length > 0 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH || !PRINTABLE_ASCII.test(key)) {
    throw invalidField(
      'Idempotency-Key',
      `must be sent once, with 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters`,
    );
  }
  return { key, payloadHash: hashPayload(trigger) };
}

/**
 * SHA-256 of what the payload means, not of its bytes. These make no difference: white space, the order of keys, null or an omitted field,
 * JSON or a form, and the secret.
 */
export const hashPayload = (trigger: TriggerRequest): Buffer =>
  sha256(canonical({ ...trigger, sendAt: trigger.sendAt?.toISOString() }));

/** JSON with keys in the order of their UTF-16 code units, as in RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, content]) => `${JSON.stringify(key)}:${canonical(content)}`).join(',')}}`;
}
