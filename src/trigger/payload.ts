// Validates the payload of a trigger request and reports all errors at once, each with its field. Pure.
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TriggerRequest } from '../database/store.ts';
import type { ValidationError } from '../errors.ts';
import { readRecipients } from './recipients.ts';
import { type PayloadLimits, TriggerBody } from './schema.ts';
import { parseSendAt } from './send-at.ts';
import {
  type AddError,
  addSchemaError,
  checkMetadata,
  checkSize,
  checkText,
  type Fields,
  fieldOf,
  toApiError,
  withoutNulls,
} from './validation-errors.ts';

const body = TypeCompiler.Compile(TriggerBody);

/**
 * @param raw The fields of the body.
 * @param now The current time, for send_at.
 * @throws {ApiError} With all errors.
 */
export function parsePayload(raw: Fields, limits: PayloadLimits, now: Date): TriggerRequest {
  const fields = withoutNulls(raw);
  const validationErrors: ValidationError[] = [];
  const add: AddError = (code, field, message) => {
    validationErrors.push({ code, field, message });
  };

  // readRecipients checks emails: it can say more than a union about an entry that is neither a string nor an object.
  const others = { ...fields, emails: undefined };
  // Listing errors costs several times what it costs to see that there are none.
  for (const error of body.Check(others) ? [] : body.Errors(others)) {
    const field = fieldOf(error);
    if (field === 'emails') continue;
    addSchemaError(add, field, error, Object.keys(TriggerBody.properties));
  }
  const recipients = readRecipients(fields, limits, add);
  const sendAt = readTiming(fields, now, add);
  checkText(fields, 'subject', add, { oneLine: true });
  checkText(fields, 'message', add, { maxBytes: limits.maxMessageBytes });
  checkMetadata(fields.metadata, 'metadata', limits, add);
  if (validationErrors.length === 0) checkSize(fields, add);

  if (validationErrors.length > 0) throw toApiError(validationErrors);
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

function readTiming(fields: Fields, now: Date, add: AddError): Date | undefined {
  const { send_in_seconds, send_at } = fields;
  if (send_in_seconds !== undefined && send_at !== undefined) {
    add('unsupported_timing', 'send_at', "can't be combined with send_in_seconds");
    return undefined;
  }
  if (typeof send_at !== 'string') return undefined;
  const time = parseSendAt(send_at, now);
  if (typeof time !== 'string') return time;
  add('unsupported_timing', 'send_at', time);
  return undefined;
}
