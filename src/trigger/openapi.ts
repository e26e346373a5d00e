// openapi.json, from the schemas that validate.
import { ERROR_CODES, type ErrorCode } from '../errors.ts';
import { ErrorResponse } from '../http/error-answer.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH, type PayloadLimits, TriggerBody, TriggerResponse } from './schema.ts';

const codesOf = (status: number): string =>
  (Object.keys(ERROR_CODES) as ErrorCode[])
    .filter((code) => ERROR_CODES[code] === status)
    .map((code) => `\`${code}\``)
    .join(', ');

export function openApi(publicUrl: string, limits: PayloadLimits): object {
  const failure = (status: number, headers?: object) => ({
    description: codesOf(status),
    content: { 'application/json': { schema: ErrorResponse } },
    ...(headers !== undefined && { headers }),
  });
  const retryAfter = { 'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Whole seconds.' } };
  const properties = {
    ...TriggerBody.properties,
    emails: { ...TriggerBody.properties.emails, maxItems: limits.maxRecipients },
  };
  const schema = { ...TriggerBody, properties };

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
          description: `email or emails is required. null means omitted. metadata: at most ${limits.maxMetadataBytes} bytes as JSON; message: at most ${limits.maxMessageBytes} bytes.`,
          security: [{ bearer: [] }, { queryToken: [] }, { querySecret: [] }],
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
              'application/json': { schema },
              'application/x-www-form-urlencoded': { schema },
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
              content: { 'application/json': { schema: TriggerResponse } },
            },
            400: failure(400),
            405: failure(405, { Allow: { schema: { const: 'POST' } } }),
            429: failure(429, retryAfter),
            500: failure(500),
            503: failure(503, retryAfter),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        queryToken: { type: 'apiKey', in: 'query', name: 'token' },
        querySecret: { type: 'apiKey', in: 'query', name: 'secret' },
      },
    },
  };
}
