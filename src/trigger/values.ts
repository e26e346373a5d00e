// Checks of single values: text that can be stored and mailed, metadata that comes back as it was sent. Pure.
import type { ErrorCode } from '../errors.ts';
import { MAX_METADATA_DEPTH, type PayloadLimits } from './schema.ts';
import type { Add } from './validation-errors.ts';

export type Fields = Record<string, unknown>;

/** null means omitted. */
export function withoutNulls(fields: Fields): Fields {
  const isMissing = (value: unknown) => value === null || value === undefined;
  if (!Object.values(fields).some(isMissing)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isMissing(value)));
}

export function checkText(
  fields: Fields,
  name: string,
  add: Add,
  rules: { oneLine?: boolean; maxBytes?: number; code?: ErrorCode; path?: string },
): void {
  const value = fields[name];
  if (typeof value !== 'string') return;
  const { code = 'invalid_field', path = name } = rules;
  if (rules.oneLine && /\p{Cc}/u.test(value)) add(code, path, 'must be one line without control characters');
  else if (!isStorable(value)) add(code, path, 'contains a character that cannot be stored (\\u0000 or half a surrogate pair)');
  if (rules.maxBytes !== undefined && Buffer.byteLength(value) > rules.maxBytes) {
    add(code, path, `must have at most ${rules.maxBytes} bytes`);
  }
}

/** Whether PostgreSQL can store the text. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

export function checkMetadata(value: unknown, field: string, limits: PayloadLimits, add: Add): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const fault = metadataFault(value, 0);
  const bytes = fault === undefined ? Buffer.byteLength(JSON.stringify(value)) : 0;
  if (fault !== undefined) {
    add('invalid_field', field, fault);
  } else if (bytes > limits.maxMetadataBytes) {
    add('invalid_field', field, `must have at most ${limits.maxMetadataBytes} bytes as JSON, not ${bytes}`);
  }
}

/** What would not come back from the database as it was sent. */
function metadataFault(value: unknown, depth: number): string | undefined {
  if (depth > MAX_METADATA_DEPTH) return `must not be nested deeper than ${MAX_METADATA_DEPTH} levels`;
  if (typeof value === 'string' && !isStorable(value)) {
    return 'contains a character that cannot be stored (\\u0000 or half a surrogate pair)';
  }
  if (typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    return 'contains a number that would lose digits; send it as a string';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const fault = (Array.isArray(value) ? undefined : metadataFault(key, depth)) ?? metadataFault(inner, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
