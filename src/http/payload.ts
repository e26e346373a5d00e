// Checks the body of a trigger request: all faults at once, each with its field. Pure: costs nothing but its own time.

import { domainToASCII } from 'node:url';
import { isEmailValid } from '@hapi/address';
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { ApiError, type ErrorCode, type Fault } from '../errors.ts';
import type { Metadata, Recipient, TriggerRequest } from '../functions.ts';
import { nearest } from './nearest.ts';
import { MAX_METADATA_DEPTH, type PayloadLimits, RecipientObject, TriggerBody } from './schema.ts';
import { parseSendAt } from './send-at.ts';

type Fields = Record<string, unknown>;
type CodedFault = Fault & { readonly code: ErrorCode };

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
const TIMING = ['send_in_seconds', 'send_at'];

const body = TypeCompiler.Compile(TriggerBody);
const recipientObject = TypeCompiler.Compile(RecipientObject);

/**
 * @param raw The fields of the body, JSON's or a form's.
 * @param now The present time, for send_at.
 * @throws {ApiError} With all faults.
 */
export function parsePayload(raw: Fields, limits: PayloadLimits, now: Date): TriggerRequest {
  const fields = withoutNulls(raw);
  const faults: CodedFault[] = [];
  const add = (code: ErrorCode, field: string, message: string) => faults.push({ code, field, message });

  for (const error of body.Errors({ ...fields, emails: undefined })) {
    const field = error.path.slice(1);
    if (field === 'emails') continue;
    addSchemaFault(add, field, error.schema, Object.keys(TriggerBody.properties));
  }
  const recipients = readRecipients(fields, limits, add);
  const sendAt = readTiming(fields, now, add);
  checkText(fields, 'subject', add, { oneLine: true });
  checkText(fields, 'message', add, { maxBytes: limits.maxMessageBytes });
  checkMetadata(fields.metadata, 'metadata', limits, add);

  if (faults.length > 0) throw refuse(faults);
  const valid = fields as TriggerBody;
  return {
    recipients,
    subject: valid.subject,
    message: valid.message,
    reminderDays: valid.reminder_days,
    metadata: valid.metadata,
    sendInSeconds: valid.send_in_seconds,
    sendAt,
  };
}

type Add = (code: ErrorCode, field: string, message: string) => void;

function refuse(faults: CodedFault[]): ApiError {
  const code = CODE_ORDER.find((one) => faults.some((fault) => fault.code === one)) ?? 'invalid_field';
  const first = faults.find((fault) => fault.code === code);
  const more = faults.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'fault' : 'faults'})`;
  return new ApiError(code, `${first?.field} ${first?.message}${others}.`, {
    details: faults.slice(0, MAX_DETAILS).map(({ field, message }) => ({ field, message })),
  });
}

/** null means omitted. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

function addSchemaFault(add: Add, field: string, schema: TSchema, known: string[]): void {
  const name = field.split(/[.[]/)[0] ?? '';
  if (schema.type === undefined || 'not' in schema) {
    // The schema of a property that the object does not have.
    const last = field.split('.').at(-1) ?? field;
    const near = nearest(last, known);
    add('unknown_field', field, `is not a field of this request${near === undefined ? '' : `; did you mean ${near}?`}`);
  } else if (TIMING.includes(name)) {
    add('unsupported_timing', field, rule(schema));
  } else {
    add(/^emails?\b/.test(field) && !field.endsWith('metadata') ? 'invalid_recipient' : 'invalid_field', field, rule(schema));
  }
}

/** What a schema asks for, as a sentence's end. */
function rule(schema: TSchema): string {
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'string') {
    const least = schema.minLength === 1 ? 'non-empty ' : '';
    return `must be a ${least}string${schema.maxLength === undefined ? '' : ` of at most ${schema.maxLength} characters`}`;
  }
  return schema.type === 'array' ? 'must be an array with at least one recipient' : 'must be an object';
}

function readRecipients(fields: Fields, limits: PayloadLimits, add: Add): Recipient[] {
  const { email, emails, name } = fields;
  const recipients = new Map<string, Recipient>();
  const take = (recipient: Recipient, field: string) => {
    const address = checkedAddress(recipient.email);
    if (address === undefined) add('invalid_recipient', field, 'is not a valid e-mail address');
    else if (!recipients.has(address.toLowerCase())) recipients.set(address.toLowerCase(), { ...recipient, email: address });
  };

  checkText(fields, 'name', add, { oneLine: true, code: 'invalid_recipient' });
  if (email !== undefined && emails !== undefined) {
    add('invalid_recipient', 'emails', 'must not be sent together with email');
  } else if (emails === undefined) {
    if (email === undefined) add('missing_recipient', 'email', 'is required, unless emails is sent');
    if (typeof email === 'string' && email !== '') {
      take({ email, name: typeof name === 'string' ? name : undefined }, 'email');
    }
  } else {
    if (name !== undefined) add('invalid_recipient', 'name', 'goes with email; in emails each recipient has its own name');
    if (!Array.isArray(emails)) add('invalid_recipient', 'emails', rule(TriggerBody.properties.emails));
    else if (emails.length === 0) add('missing_recipient', 'emails', rule(TriggerBody.properties.emails));
    else if (emails.length > limits.maxRecipients) {
      add('too_many_recipients', 'emails', `must have at most ${limits.maxRecipients} recipients, not ${emails.length}`);
    } else {
      for (const [index, entry] of emails.entries()) readRecipient(entry, `emails[${index}]`, limits, add, take);
    }
  }
  return [...recipients.values()];
}

function readRecipient(
  entry: unknown,
  field: string,
  limits: PayloadLimits,
  add: Add,
  take: (recipient: Recipient, field: string) => void,
): void {
  if (typeof entry === 'string') {
    take({ email: entry }, field);
    return;
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    add('invalid_recipient', field, 'must be an e-mail address or an object with email and, if known, name and metadata');
    return;
  }
  const fields = withoutNulls(entry as Fields);
  const seen = new Set<string>();
  for (const error of recipientObject.Errors(fields)) {
    const path = `${field}${error.path.replaceAll('/', '.')}`;
    // A missing property is reported twice: as missing, and as of the wrong type.
    if (seen.has(path)) continue;
    seen.add(path);
    if (path === `${field}.email` && fields.email === undefined) add('invalid_recipient', path, 'is required');
    else addSchemaFault(add, path, error.schema, Object.keys(RecipientObject.properties));
  }
  checkText(fields, 'name', add, { oneLine: true, code: 'invalid_recipient', path: `${field}.name` });
  checkMetadata(fields.metadata, `${field}.metadata`, limits, add);
  const { email, name, metadata } = fields;
  if (typeof email === 'string' && email !== '') {
    take(
      {
        email,
        name: typeof name === 'string' ? name : undefined,
        metadata: metadata as Metadata | undefined,
      },
      `${field}.email`,
    );
  }
}

/** The address trimmed, its domain in ASCII; undefined if it is not one that a mail can be sent to. */
function checkedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, at);
  // Relays take ASCII before the @ only; a domain in other letters has an ASCII form.
  if (at < 1 || !/^[\x21-\x7e]+$/.test(local)) return undefined;
  const address = `${local}@${domainToASCII(trimmed.slice(at + 1))}`;
  return isEmailValid(address, { minDomainSegments: 2 }) ? address : undefined;
}

function readTiming(fields: Fields, now: Date, add: Add): Date | undefined {
  const { send_in_seconds, send_at } = fields;
  if (send_in_seconds !== undefined && send_at !== undefined) {
    add('unsupported_timing', 'send_at', 'must not be sent together with send_in_seconds');
    return undefined;
  }
  if (typeof send_at !== 'string') return undefined;
  const time = parseSendAt(send_at, now);
  if (typeof time !== 'string') return time;
  add('unsupported_timing', 'send_at', time);
  return undefined;
}

function checkText(
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

function checkMetadata(value: unknown, field: string, limits: PayloadLimits, add: Add): void {
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
