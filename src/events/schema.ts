// The schemas of events and of the reading API's responses. openapi.json is built from them.
import { Type } from '@sinclair/typebox';

/** The same types as in SQL. */
export const EVENT_TYPES = [
  'batch.accepted',
  'invitation.sent',
  'invitation.delivered',
  'invitation.bounced',
  'invitation.complained',
  'invitation.suppressed',
  'invitation.failed',
  'invitation.cancelled',
  'invitation.skipped',
  'invitation.deferred',
  'invitation.reminded',
  'invitation.unsubscribed',
  'response.submitted',
  'response.low_score',
  'survey.activated',
  'survey.closed',
  'survey.held',
  'survey.released',
] as const;

const nullable = (schema: object) => Type.Unsafe({ anyOf: [schema, { type: 'null' }] });
const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const anObject = { type: 'object', additionalProperties: true };

const EventData = Type.Object(
  {
    workspace: Type.String(),
    survey: Type.String(),
    batch: Type.Optional(Type.String({ format: 'uuid' })),
    recipients: Type.Optional(nullable({ type: 'integer', description: 'Of batch.accepted: how many. Null: deleted since.' })),
    invitation: Type.Optional(Type.String({ description: 'Its id.' })),
    recipient: Type.Optional(
      nullable({
        type: 'object',
        properties: { email: Text, name: { type: ['string', 'null'] } },
        required: ['email', 'name'],
        description: 'Null: erased since.',
      }),
    ),
    message: Type.Optional(Type.Unsafe({ type: 'string', enum: ['invitation', 'reminder'] })),
    code: Type.Optional(
      Type.String({
        description:
          "Why it failed: the relay's code, or ours. Or the rule that skipped or deferred it. Or what closed the survey by itself: closing_date or response_limit.",
      }),
    ),
    metadata: Type.Optional(nullable({ ...anObject, description: "The request's and the recipient's." })),
    low_score: Type.Optional(
      nullable({
        type: 'object',
        properties: {
          question: { type: 'string', description: 'The id of the first question with a score.' },
          score: { type: 'integer' },
          below: { type: 'integer', description: 'Scores below it are low: 7 of an NPS, otherwise the middle of the scale.' },
        },
        required: ['question', 'score', 'below'],
        description: 'Null: erased since.',
      }),
    ),
    response: Type.Optional(
      Type.Object({
        id: Text,
        answers: nullable({ ...anObject, description: 'By question id. Null: deleted since.' }),
        language: nullable({ type: 'string', description: 'In which the questions were shown (BCP 47). Null: unknown.' }),
        clicked_in_email: Type.Optional(
          Type.String({
            description:
              'The id of the question whose answer began with a click in the email. Its answer may have been changed since.',
          }),
        ),
        url: Type.Optional(Type.String({ format: 'uri', description: 'Its page, for members. Readers in SQL get none.' })),
      }),
    ),
  },
  { title: 'EventData', additionalProperties: true },
);

export const Event = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The same however often the event comes; of a webhook also in webhook-id.' }),
    type: Type.Unsafe({ type: 'string', enum: EVENT_TYPES, description: 'More may follow.' }),
    version: Type.Literal(1, { description: 'Of this format.' }),
    cursor: Type.String({ description: 'Its place in the order of events: as after, the list goes on behind it.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: EventData,
  },
  { title: 'Event' },
);

export type EventType = (typeof EVENT_TYPES)[number];

/** When an event of each type occurs, and the fields that its data always has. */
export const EVENT_MEANINGS: Readonly<Record<EventType, readonly [meaning: string, fields: readonly string[]]>> = {
  'batch.accepted': ['A request was accepted.', ['batch', 'metadata', 'recipients']],
  'invitation.sent': ['The relay took the invitation.', ['message']],
  'invitation.delivered': ["The recipient's mail server accepted it.", []],
  'invitation.bounced': ['The address refused it for good, or the relay blocks it.', []],
  'invitation.complained': ['The recipient reported it as spam.', []],
  'invitation.suppressed': ['It was not sent: the address is on the do-not-email list.', ['message']],
  'invitation.failed': ['It was not sent, for good.', ['message']],
  'invitation.cancelled': ['It was cancelled before it was sent.', ['message']],
  'invitation.skipped': ['It was not sent, because of a rule about when emails may leave: code says which.', ['message', 'code']],
  'invitation.deferred': [
    'A rule about when emails may leave (code) made the first email of a request wait. Once a request and rule; webhooks must ask for it.',
    ['message', 'code'],
  ],
  'invitation.reminded': ['The relay took the reminder.', ['message']],
  'invitation.unsubscribed': ['The recipient unsubscribed.', []],
  'response.submitted': ['Somebody responded; with a batch and an invitation if through a link of one.', ['response']],
  'response.low_score': [
    'The response has a low score. It comes beside response.submitted; webhooks must ask for it.',
    ['response', 'low_score'],
  ],
  'survey.activated': ['The survey opened.', []],
  'survey.closed': ['The survey closed: by itself, if there is a code.', []],
  'survey.held': [
    "Its emails are held: the guard (code) found that too much of the workspace's email bounces or is reported as spam.",
    ['code'],
  ],
  'survey.released': ['A person has released the emails that the guard (code) held.', ['code']],
};

/** The schema of an event of one type. */
export const eventOf = (type: EventType): object => {
  const fields = [
    ...(type.startsWith('invitation.') ? ['batch', 'metadata', 'invitation', 'recipient'] : []),
    ...EVENT_MEANINGS[type][1],
  ];
  return {
    allOf: [Event, { type: 'object', properties: { type: { const: type }, data: { type: 'object', required: fields } } }],
  };
};

export const EventList = Type.Object(
  {
    ok: Type.Literal(true),
    events: Type.Array(Event),
    next: Type.String({ description: 'Send it as after to go on.' }),
  },
  { title: 'EventList' },
);

const counts = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'skipped'];
const outcomes = ['delivered', 'bounced', 'complained', 'unsubscribed'];
const reminders = ['reminders_pending', 'reminded', 'responded', 'reminders_failed', 'deferred'];

const BatchState = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    workspace: Text,
    survey: Text,
    status: Type.Unsafe({
      type: 'string',
      enum: ['scheduled', 'queued', 'waiting', 'deferred', 'sending', 'sent', 'partly_failed', 'failed', 'cancelled', 'skipped'],
    }),
    accepted_at: Time,
    scheduled_at: Time,
    metadata: nullable(anObject),
    recipients: Count,
    ...Object.fromEntries([...counts, ...reminders, ...outcomes].map((name) => [name, Count])),
  },
  { title: 'BatchState' },
);

const times = ['due_at', 'leave_by', 'sent_at', 'reminded_at', 'responded_at', 'failed_at', 'cancelled_at'];

const RecipientState = Type.Object(
  {
    invitation: Text,
    email: Type.Unsafe({ type: ['string', 'null'], description: 'Null: erased.' }),
    name: Type.Unsafe({ type: ['string', 'null'] }),
    status: Type.Unsafe({ type: 'string', enum: counts }),
    message: Type.Unsafe({
      type: 'string',
      enum: ['invitation', 'reminder'],
      description: 'The message that the status is about.',
    }),
    reason: Type.Unsafe({ type: ['string', 'null'], description: "Why it hasn't been sent. Null: it has." }),
    hold_reason: Type.Unsafe({ type: ['string', 'null'], description: 'Why it waits.' }),
    code: Type.Unsafe({ type: ['string', 'null'], description: 'Why it failed.' }),
    ...Object.fromEntries(times.map((name) => [name, nullable(Time)])),
    outcomes: Type.Partial(Type.Object(Object.fromEntries([...outcomes, 'soft_bounced'].map((name) => [name, Time]))), {
      description: 'What came back, and when it first did.',
    }),
  },
  { title: 'RecipientState' },
);

export const BatchPage = Type.Object(
  {
    ok: Type.Literal(true),
    batch: BatchState,
    recipients: Type.Array(RecipientState),
    next: Type.Union([Text, Type.Null()], { description: 'Send it as after for the next page. Null: this is the last.' }),
  },
  { title: 'BatchPage' },
);
