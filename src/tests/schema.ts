// The schemas of /api/v1/test/. openapi.json is built from them.
import { Type } from '@sinclair/typebox';

const Time = Type.String({ format: 'date-time' });
const ok = Type.Literal(true);
const nullable = (schema: object) => Type.Unsafe({ anyOf: [schema, { type: 'null' }] });
const Address = Type.Object({ email: Type.String(), name: Type.Optional(Type.String()) });
const Position = nullable({ type: 'integer', description: 'Pass it as the following before. Null: there are no more.' });

const emailFields = {
  id: Type.Integer(),
  sent_at: Time,
  batch_id: Type.String({ format: 'uuid' }),
  survey_id: Type.String(),
  invitation_id: Type.Integer(),
  reminder: Type.Integer({ minimum: 0, maximum: 5, description: '0: the invitation.' }),
  to: Address,
  from: Address,
  reply_to: Type.Optional(Type.String()),
  subject: Type.String(),
  links: Type.Object({ survey: Type.String({ format: 'uri' }), unsubscribe: Type.String({ format: 'uri' }) }),
};

const TestEmailLine = Type.Object(emailFields, { title: 'TestEmailLine' });
const TestEmail = Type.Object(
  { ...emailFields, text: Type.String(), html: Type.String(), headers: Type.Record(Type.String(), Type.String()) },
  { title: 'TestEmail' },
);

export const TestClockAnswer = Type.Object(
  { ok, now: Time, next: nullable({ ...Time, description: 'When something next happens by itself. Null: never.' }) },
  { title: 'TestClock' },
);

export const TestEmailsAnswer = Type.Object({ ok, emails: Type.Array(TestEmailLine), next: Position }, { title: 'TestEmails' });

export const TestEmailAnswer = Type.Object({ ok, email: TestEmail }, { title: 'TestEmailAnswer' });

/** One of the three. */
export const TestAdvanceBody = Type.Object(
  {
    to: Type.Optional(Type.String({ format: 'date-time', description: 'A time, with its offset.' })),
    by: Type.Optional(Type.String({ description: 'A duration of ISO 8601 without months, such as P3D.' })),
    next: Type.Optional(Type.Literal(true, { description: 'To the next time at which something happens.' })),
  },
  { title: 'TestAdvance', additionalProperties: false, minProperties: 1, maxProperties: 1 },
);

export const TestAdvanceAnswer = Type.Object(
  {
    ok,
    since: Time,
    now: Time,
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description: 'How often each type of event happened.' }),
    happened: Type.Array(
      Type.Object({
        type: Type.String(),
        at: Time,
        survey_id: Type.String(),
        batch_id: Type.Optional(Type.String({ format: 'uuid' })),
        invitation_id: Type.Optional(Type.Integer()),
        email: Type.Optional(Type.String()),
        message_kind: Type.Optional(Type.Unsafe({ type: 'string', enum: ['invitation', 'reminder'] })),
        code: Type.Optional(Type.String()),
      }),
      { description: 'The first 1,000 events, in order.' },
    ),
  },
  { title: 'TestAdvanced' },
);
