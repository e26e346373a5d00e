// Checks the body of a trigger request: all faults at once, each with its field. Pure: costs nothing but its own time.
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TriggerRequest } from '../database/store.ts';
import { readRecipients } from './recipients.ts';
import { type PayloadLimits, TriggerBody } from './schema.ts';
import { parseSendAt } from './send-at.ts';
import { type Add, addSchemaFault, type CodedFault, fieldOf, refuse } from './validation-errors.ts';
import { checkMetadata, checkText, type Fields, withoutNulls } from './values.ts';

const body = TypeCompiler.Compile(TriggerBody);

/**
 * @param raw The fields of the body, JSON's or a form's.
 * @param now The present time, for send_at.
 * @throws {ApiError} With all faults.
 */
export function parsePayload(raw: Fields, limits: PayloadLimits, now: Date): TriggerRequest {
  const fields = withoutNulls(raw);
  const faults: CodedFault[] = [];
  const add: Add = (code, field, message) => {
    faults.push({ code, field, message });
  };

  // emails is readRecipients', which says more of a recipient that is neither text nor object than a union can.
  const others = { ...fields, emails: undefined };
  // Looking for faults costs several times what it costs to see that there are none.
  for (const error of body.Check(others) ? [] : body.Errors(others)) {
    const field = fieldOf(error);
    if (field === 'emails') continue;
    addSchemaFault(add, field, error, Object.keys(TriggerBody.properties));
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
