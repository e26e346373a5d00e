// The endpoint's schemas: the source of validation, types and openapi.json.
import { type Static, Type } from '@sinclair/typebox';
import { MAX_TAG_LENGTH } from '../languages/languages.ts';

export interface PayloadLimits {
  readonly maxRecipients: number;
  readonly maxMetadataBytes: number;
  readonly maxMessageBytes: number;
}

/** All limits that the operator can set. */
export interface TriggerLimits extends PayloadLimits {
  readonly maxBodyBytes: number;
  readonly requestsPerMinute: number;
  readonly recipientsPerHour: number;
}

const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 255;
/** RFC 5321, section 4.5.3.1.3: 256 octets minus the angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
export const MAX_REMINDERS = 5;
export const MAX_REMINDER_DAYS = 365;
export const MAX_SECONDS_AHEAD = 31_536_000;
export const MAX_SECONDS_PAST = 300;
export const MAX_METADATA_DEPTH = 32;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

const Email = Type.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH, description: 'Email address of the recipient.' });
const Name = Type.String({ maxLength: MAX_NAME_LENGTH, description: 'Name of the recipient, for {{recipient_name}}.' });
const Language = Type.String({
  maxLength: MAX_TAG_LENGTH,
  description:
    'Language of the recipient (BCP 47), such as de or pt-BR. The nearest one is used. If omitted or unknown: the next of recipient, request, survey.',
});
const TimeZone = Type.String({
  description:
    "Time zone of the recipient (IANA), such as Europe/Berlin, for the workspace's hours. If omitted: the next of recipient, request, survey, workspace.",
});
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Stored with the invitation; shown as hidden data with the response in the Results. Not for secrets.',
});

export const RecipientObject = Type.Object(
  {
    email: Email,
    name: Type.Optional(Name),
    language: Type.Optional(Language),
    time_zone: Type.Optional(TimeZone),
    metadata: Type.Optional(Metadata),
  },
  { title: 'Recipient', additionalProperties: false, description: "A recipient. Keys of its metadata override the request's." },
);

/** null is read as omitted. */
export const TriggerBody = Type.Object(
  {
    email: Type.Optional(Email),
    emails: Type.Optional(
      Type.Array(Type.Union([Email, RecipientObject]), {
        minItems: 1,
        description: 'Recipients, instead of email: addresses or objects. A repeated address counts once.',
      }),
    ),
    name: Type.Optional(Name),
    language: Type.Optional(Language),
    time_zone: Type.Optional(TimeZone),
    metadata: Type.Optional(Metadata),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SUBJECT_LENGTH,
        description: "One line; may contain template variables. If omitted: the token's default.",
      }),
    ),
    message: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Plain text; may contain template variables. Without {{survey_link}}, the link is appended. If omitted: the token's default.",
      }),
    ),
    reminder_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REMINDER_DAYS,
        description:
          "Days from sending the invitation to its only reminder; 0: no reminder. If omitted: the token's defaults. Not with reminders.",
      }),
    ),
    reminders: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: MAX_REMINDER_DAYS }), {
        maxItems: MAX_REMINDERS,
        uniqueItems: true,
        description:
          "Days from sending the invitation to each of its reminders, ascending; empty: no reminder. If omitted: the token's defaults. Not with reminder_days.",
      }),
    ),
    send_in_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SECONDS_AHEAD, description: 'Seconds until the batch is due. Not with send_at.' }),
    ),
    send_at: Type.Optional(
      Type.String({
        description:
          'When the batch is due: `now`, `YYYY-MM-DD HH:MM:SS UTC` (UTC may be omitted), or ISO 8601 with Z or +00:00. Not with send_in_seconds.',
      }),
    ),
    token: Type.Optional(
      Type.String({ description: 'The trigger secret, for callers that cannot set the Authorization header.' }),
    ),
    secret: Type.Optional(Type.String({ description: 'Same as token.' })),
  },
  { title: 'TriggerRequest', additionalProperties: false },
);
export type TriggerBody = Static<typeof TriggerBody>;

const Warning = Type.Object(
  {
    code: Type.Unsafe<
      | 'unknown_variable'
      | 'unknown_language'
      | 'repeated_recipient'
      | 'survey_not_active'
      | 'sending_paused'
      | 'suppressed_recipient'
    >({
      type: 'string',
      description:
        'Such as unknown_variable, unknown_language, repeated_recipient, survey_not_active, sending_paused, suppressed_recipient. More may follow.',
    }),
    field: Type.Optional(Type.String({ description: 'Path of the field. Omitted if there is none.' })),
    message: Type.String({ description: 'A sentence for people.' }),
  },
  { title: 'Warning' },
);
export type Warning = Static<typeof Warning>;

const Batch = Type.Object(
  {
    uuid: Type.String({ format: 'uuid', description: 'Identifier of the batch.' }),
    scheduled_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
      description: 'When the batch becomes due: UTC, YYYY-MM-DD HH:MM:SS.',
    }),
    status: Type.Unsafe<'queued' | 'scheduled'>({
      type: 'string',
      enum: ['queued', 'scheduled'],
      description: 'queued: due now. scheduled: due later.',
    }),
    resting: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'How many recipients were invited recently: they wait until their rest ends. An estimate; omitted if the workspace has no rest.',
      }),
    ),
    leave_by: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
        description:
          'What has not left by then is skipped: UTC. Omitted if neither the survey nor its workspace has rules about when emails leave.',
      }),
    ),
  },
  { title: 'Batch' },
);

export const TriggerResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String({ description: 'A sentence for people.' }),
    batch: Batch,
    warnings: Type.Optional(
      Type.Array(Warning, {
        minItems: 1,
        description: 'Probable mistakes in an accepted request, and why nothing is sent now. Omitted if there are none.',
      }),
    ),
  },
  { title: 'TriggerResponse' },
);
export type TriggerResponse = Static<typeof TriggerResponse>;
