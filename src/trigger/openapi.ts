// Builds openapi.json from the schemas that validate requests.
import { ERROR_CODES, type ErrorCode } from '../errors.ts';
import { BatchPage, EVENT_MEANINGS, EVENT_TYPES, EventList, type EventType, eventOf } from '../events/schema.ts';
import { ErrorResponse } from '../http/error-answer.ts';
import { TestAdvanceAnswer, TestAdvanceBody, TestClockAnswer, TestEmailAnswer, TestEmailsAnswer } from '../tests/schema.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH, type PayloadLimits, TriggerBody, TriggerResponse } from './schema.ts';

const codesOf = (status: number): string =>
  (Object.keys(ERROR_CODES) as ErrorCode[])
    .filter((code) => ERROR_CODES[code] === status)
    .map((code) => `\`${code}\``)
    .join(', ');

const REQUESTS = {
  one: {
    summary: 'One person',
    value: { email: 'ada@example.com', name: 'Ada Lovelace', metadata: { order_id: 'A-1001' } },
  },
  several: {
    summary: 'Several people, in an hour',
    value: {
      emails: ['ada@example.com', { email: 'bob@example.com', name: 'Bob', metadata: { seat: 7 } }],
      subject: 'How was {{survey_title}}?',
      message: 'Hello {{recipient_name}},\n\n{{survey_link}}\n\n{{workspace_name}}',
      reminders: [3, 7, 14],
      send_in_seconds: 3600,
    },
  },
};

const ACCEPTED: TriggerResponse = {
  ok: true,
  message: 'Invitation queued.',
  batch: { uuid: '019aa7c2-3f4e-7d10-9b1a-6b7c8d9e0f12', scheduled_at: '2030-01-31 09:00:00', status: 'queued' },
};

const example = (code: ErrorCode, message: string, fields: Partial<ErrorResponse['error']> = {}): ErrorResponse => ({
  ok: false,
  message,
  error: { code, details: [], ...fields },
  request_id: '6f1c8f0a-58a5-4c8e-9c7e-0d4c7c1f2a3b',
});

const INVALID = example('invalid_recipient', "emails[2].email isn't a valid email address: it has no @.", {
  details: [{ field: 'emails[2].email', message: "isn't a valid email address: it has no @" }],
});
const NOT_ALLOWED = example('method_not_allowed', 'Only POST is allowed here.');
const TOO_SOON = example(
  'cooldown',
  "The token's cooldown after its last accepted request isn't over. Try again in 42 seconds.",
  {
    retry_after_seconds: 42,
  },
);
const BROKEN = example(
  'internal_error',
  'Something went wrong on our side. The request may have been queued: repeat it with the same Idempotency-Key, and it is queued only once.',
);
const NOT_READY = example('not_ready', "The service isn't ready: its database can't respond. Try again later.", {
  retry_after_seconds: 5,
});

export function openApi(publicUrl: string, limits: PayloadLimits): object {
  const schemas: Record<string, unknown> = {};
  const TriggerRequest = nullable({
    ...TriggerBody,
    properties: {
      ...TriggerBody.properties,
      emails: { ...TriggerBody.properties.emails, maxItems: limits.maxRecipients },
    },
  });
  // OpenAPI's encoding of forms can't describe recipients as objects, so emails has only addresses here.
  const form = {
    ...TriggerBody,
    title: 'TriggerForm',
    properties: { ...TriggerBody.properties, emails: { type: 'array', items: TriggerBody.properties.email } },
  };
  const failure = (status: number, example: object, headers?: object) => ({
    description: codesOf(status),
    content: { 'application/json': { schema: reference(ErrorResponse, schemas), example } },
    ...(headers !== undefined && { headers }),
  });
  const retryAfter = { 'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Whole seconds.' } };

  const parameter = (name: string, schema: object, description: string, where = 'query') => ({
    name,
    in: where,
    required: where === 'path',
    schema,
    description,
  });
  const rows = parameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }, 'Maximum number of rows.');
  const operation = (operationId: string, summary: string, parameters: object[], answer: Titled, description: string) => ({
    operationId,
    summary,
    description,
    security: [{ bearer: [] }],
    parameters,
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: reference(answer, schemas) } },
      },
      ...Object.fromEntries(
        [400, 404, 429, 500, 503].map((status) => [
          status,
          {
            description: codesOf(status),
            content: { 'application/json': { schema: reference(ErrorResponse, schemas) } },
            ...((status === 429 || status === 503) && { headers: retryAfter }),
          },
        ]),
      ),
    },
  });
  const reading = (operationId: string, summary: string, parameters: object[], answer: Titled) => ({
    get: operation(operationId, summary, parameters, answer, 'Only for tokens that are allowed to read; others get 404.'),
  });
  const OF_TESTS = 'Only for secrets of test workspaces (sit_test_…); others get 404.';
  const testing = (operationId: string, summary: string, parameters: object[], answer: Titled) => ({
    get: operation(operationId, summary, parameters, answer, OF_TESTS),
  });

  const signed = [
    parameter('webhook-id', { type: 'string' }, "The event's id, the same at each attempt.", 'header'),
    parameter('webhook-timestamp', { type: 'string' }, 'Seconds since 1970, of this attempt.', 'header'),
    parameter('webhook-signature', { type: 'string' }, 'By Standard Webhooks; two during a rotation of the secret.', 'header'),
  ].map((header) => ({ ...header, required: true }));
  const webhook = (type: EventType) => ({
    post: {
      operationId: type.replace('.', '_'),
      summary: EVENT_MEANINGS[type][0],
      parameters: signed,
      requestBody: { required: true, content: { 'application/json': { schema: refer(eventOf(type), schemas) } } },
      responses: {
        '2XX': { description: 'Accepted. An event may arrive twice: compare ids.' },
        410: { description: 'The endpoint gets no more events until it is resumed.' },
        default: { description: 'Sent again later.' },
      },
    },
  });

  return {
    openapi: '3.1.0',
    info: {
      title: 'Invitation Trigger Service',
      version: '1',
      description:
        'Queues tracked survey invitations. For trusted servers only: browsers and mobile clients must not hold the secret.',
    },
    servers: [{ url: publicUrl }],
    paths: {
      '/api/invitation-trigger': {
        post: {
          operationId: 'triggerInvitations',
          summary: "Queues one batch of invitations for the token's survey.",
          description: `email or emails is required. null means omitted. metadata: at most ${limits.maxMetadataBytes} bytes as JSON; message: at most ${limits.maxMessageBytes} bytes. Callers that can't set headers may send the secret as token or secret, in the body or in the query; query strings end up in access logs.`,
          security: [{ bearer: [] }],
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH, pattern: '^[\\x20-\\x7e]+$' },
              description:
                'For 24 hours, repeating a request with the same key and payload returns the batch that the first one queued.',
            },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: reference(TriggerRequest, schemas), examples: REQUESTS },
              'application/x-www-form-urlencoded': {
                schema: reference(form, schemas),
                encoding: { emails: { style: 'form', explode: true }, metadata: { style: 'deepObject', explode: true } },
              },
            },
          },
          responses: {
            200: {
              description: 'The batch is queued.',
              headers: {
                'Idempotency-Replayed': {
                  schema: { const: 'true' },
                  description: 'Present if an earlier request queued the batch.',
                },
              },
              content: { 'application/json': { schema: reference(TriggerResponse, schemas), example: ACCEPTED } },
            },
            400: failure(400, INVALID),
            405: failure(405, NOT_ALLOWED, { Allow: { schema: { const: 'POST' } } }),
            429: failure(429, TOO_SOON, retryAfter),
            500: failure(500, BROKEN),
            503: failure(503, NOT_READY, retryAfter),
          },
        },
      },
      '/api/batches/{uuid}': reading(
        'readBatch',
        "A batch of the token's survey, with a page of its recipients.",
        [
          parameter('uuid', { type: 'string', format: 'uuid' }, 'Id of the batch.', 'path'),
          parameter('after', { type: 'string' }, 'next from the previous page.'),
          rows,
        ],
        BatchPage,
      ),
      '/api/events': reading(
        'readEvents',
        "What has happened in the token's survey, in order.",
        [
          parameter('after', { type: 'string' }, 'next from the previous response. Omitted: from the oldest event that is kept.'),
          rows,
          parameter(
            'wait',
            { type: 'integer', minimum: 0, maximum: 30, default: 0 },
            'Seconds to wait for an event, if there is none. At most ten requests of a token wait; more are answered at once.',
          ),
        ],
        EventList,
      ),
      '/api/v1/test/clock': testing('readTestClock', 'What time it is in a test workspace.', [], TestClockAnswer),
      '/api/v1/test/advance': {
        post: {
          ...operation(
            'advanceTestClock',
            'Moves the clock of a test workspace, does all that is due meanwhile, and says what happened.',
            [],
            TestAdvanceAnswer,
            OF_TESTS,
          ),
          requestBody: { required: true, content: { 'application/json': { schema: reference(TestAdvanceBody, schemas) } } },
        },
      },
      '/api/v1/test/emails': testing(
        'readTestEmails',
        'The emails that would have left a test workspace, newest first.',
        [
          parameter('recipient', { type: 'string' }, 'An address.'),
          parameter('batch', { type: 'string', format: 'uuid' }, 'Id of a batch.'),
          parameter('before', { type: 'string' }, 'next from the previous page.'),
          { ...rows, schema: { ...rows.schema, default: 50 } },
        ],
        TestEmailsAnswer,
      ),
      '/api/v1/test/emails/{id}': testing(
        'readTestEmail',
        'One email, with its text, HTML and headers.',
        [parameter('id', { type: 'string' }, 'Id of the email.', 'path')],
        TestEmailAnswer,
      ),
    },
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, webhook(type)])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
  };
}

interface Titled {
  readonly title?: string;
}

/** A reference to a schema by its title. The schema, and each titled schema inside it, is added to `schemas`. */
function reference(schema: Titled, schemas: Record<string, unknown>): unknown {
  const { title = '', ...content } = schema;
  schemas[title] ??= mapValues(content, (value) => refer(value, schemas));
  return { $ref: `#/components/schemas/${title}` };
}

function refer(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => refer(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof (value as Titled).title === 'string') return reference(value as Titled, schemas);
  return mapValues(value, (inner) => refer(inner, schemas));
}

const mapValues = (object: object, map: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** A schema in which the optional fields of an object, and of all objects inside it, may be null. */
function nullable(schema: unknown): Titled {
  if (typeof schema !== 'object' || schema === null) return schema as never;
  if (Array.isArray(schema)) return schema.map(nullable) as never;
  const { properties, required = [] } = schema as { properties?: object; required?: readonly string[] };
  if (properties === undefined) return mapValues(schema, nullable);
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = field;
    if (required.includes(name)) return [name, nullable(field)];
    return typeof field.type === 'string' && field.type !== 'object' && field.type !== 'array'
      ? [name, { ...field, type: [field.type, 'null'] }]
      : [name, { description, anyOf: [nullable(rest), { type: 'null' }] }];
  });
  return { ...schema, properties: Object.fromEntries(fields) } as Titled;
}
