// Validates a payload and reports all errors at once. Pure.
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TriggerRequest } from '../database/store.ts';
import { canonicalTag } from '../languages/languages.ts';
import { readRecipients } from './recipients.ts';
import { MAX_REMINDER_DAYS, MAX_REMINDERS, type PayloadLimits, TriggerBody } from './schema.ts';
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
 * @param isTest Whether its workspace is a test, in which people can be simulated.
 * @throws {ApiError} With all errors.
 */
export function parsePayload(
  raw: Fields,
  limits: PayloadLimits,
  now: Date,
  isTimeZone: IsTimeZone,
  isTest = false,
): TriggerRequest {
  if (hasTooManyFields(raw)) throw tooManyFields();
  const fields = withoutNulls(raw);
  const errors = new ErrorList();
  const recipients = readRecipients(fields, limits, isTimeZone, errors, isTest);
  const sendAt = readTiming(fields, now, errors);
  checkReminders(fields, errors);
  checkText(fields, 'subject', errors, { oneLine: true });
  checkText(fields, 'message', errors, { maxBytes: limits.maxMessageBytes });
  checkTimeZone(fields.time_zone, 'time_zone', 'invalid_field', isTimeZone, errors);
  checkMetadata(fields.metadata, 'metadata', limits, errors);
  // These are checked above: the messages say more than a schema error about a list could.
  const others = { ...fields, emails: undefined, reminders: undefined };
  // Errors are listed only if there are any: listing costs several times as much as the check.
  if (!body.Check(others)) addSchemaErrors(errors, '', body.Errors(others), Object.keys(TriggerBody.properties));
  if (errors.isEmpty) checkSize(fields, errors);
  const error = errors.toApiError();
  if (error !== undefined) throw error;

  const valid = fields as TriggerBody;
  const days = valid.reminder_days;
  return {
    recipients,
    subject: valid.subject,
    message: valid.message,
    reminders: days === undefined ? valid.reminders : days === 0 ? [] : [days],
    language: canonicalTag(valid.language),
    timeZone: valid.time_zone,
    metadata: valid.metadata,
    sendInSeconds: valid.send_in_seconds,
    sendAt,
  };
}

function checkReminders({ reminder_days, reminders }: Fields, errors: ErrorList): void {
  if (reminders === undefined) return;
  if (reminder_days !== undefined) errors.add('invalid_field', 'reminders', "can't be combined with reminder_days");
  if (!Array.isArray(reminders) || reminders.length > MAX_REMINDERS) {
    errors.add('invalid_field', 'reminders', `must be an array of at most ${MAX_REMINDERS} numbers of days`);
    return;
  }
  for (const [index, days] of reminders.entries()) {
    if (!Number.isInteger(days) || days < 1 || days > MAX_REMINDER_DAYS) {
      errors.add('invalid_field', `reminders[${index}]`, `must be a whole number from 1 to ${MAX_REMINDER_DAYS}`);
    } else if (days <= reminders[index - 1]) {
      errors.add('invalid_field', `reminders[${index}]`, 'must be greater than the number before it');
    }
  }
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
