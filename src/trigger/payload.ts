// Validates a payload and reports all errors at once. Pure.
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TriggerRequest } from '../database/store.ts';
import { canonicalTag } from '../languages/languages.ts';
import { readRecipients } from './recipients.ts';
import { type PayloadLimits, TriggerBody } from './schema.ts';
import { parseSendAt } from './send-at.ts';
import type { IsTimeZone } from './time-zones.ts';
import {
  addSchemaErrors,
  checkMetadata,
  checkSize,
  checkText,
  checkTimeZone,
  ErrorList,
  type Fields,
  hasTooManyFields,
  tooManyFields,
  withoutNulls,
} from './validation-errors.ts';

const body = TypeCompiler.Compile(TriggerBody);

/**
 * @param now For send_at.
 * @param isTimeZone Whether the database knows a time zone.
 * @throws {ApiError} With all errors.
 */
export function parsePayload(raw: Fields, limits: PayloadLimits, now: Date, isTimeZone: IsTimeZone): TriggerRequest {
  if (hasTooManyFields(raw)) throw tooManyFields();
  const fields = withoutNulls(raw);
  const errors = new ErrorList();
  const recipients = readRecipients(fields, limits, isTimeZone, errors);
  const sendAt = readTiming(fields, now, errors);
  checkText(fields, 'subject', errors, { oneLine: true });
  checkText(fields, 'message', errors, { maxBytes: limits.maxMessageBytes });
  checkTimeZone(fields.time_zone, 'time_zone', 'invalid_field', isTimeZone, errors);
  checkMetadata(fields.metadata, 'metadata', limits, errors);
  // readRecipients has checked emails: its messages say more than a schema error about a union could.
  const others = { ...fields, emails: undefined };
  // Errors are listed only if there are any: listing costs several times as much as the check.
  if (!body.Check(others)) addSchemaErrors(errors, '', body.Errors(others), Object.keys(TriggerBody.properties));
  if (errors.isEmpty) checkSize(fields, errors);
  const error = errors.toApiError();
  if (error !== undefined) throw error;

  const valid = fields as TriggerBody;
  return {
    recipients,
    subject: valid.subject,
    message: valid.message,
    reminderDays: valid.reminder_days,
    language: canonicalTag(valid.language),
    timeZone: valid.time_zone,
    metadata: valid.metadata,
    sendInSeconds: valid.send_in_seconds,
    sendAt,
  };
}

function readTiming(fields: Fields, now: Date, errors: ErrorList): Date | undefined {
  const { send_in_seconds, send_at } = fields;
  if (send_in_seconds !== undefined && send_at !== undefined) {
    errors.add('unsupported_timing', 'send_at', "can't be combined with send_in_seconds");
    return undefined;
  }
  if (typeof send_at !== 'string') return undefined;
  const time = parseSendAt(send_at, now);
  if (typeof time !== 'string') return time;
  errors.add('unsupported_timing', 'send_at', time);
  return undefined;
}
